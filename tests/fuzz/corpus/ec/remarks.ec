c title: x
c source: a book
c count all: 2
p ec 3
s 1 3
s 2
s 1 2 3
s
