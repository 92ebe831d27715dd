c n = 4, m = 5

p ec 4 5
s 1 3
s 2
s 4
c a remark
s 2 4
s 3 1
