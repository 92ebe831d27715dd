"""The local web page, `exactcover serve`.

    server   the application: access rules, files, and one address for each question
    pool     the processes that answer questions and search
    worker   the program of such a process
    answers  the questions, and what answers them
    boards   puzzles as data of the page
    shelf    the shipped puzzles, with the titles and words by which they are found

The server keeps no puzzle and no search. A question holds the whole puzzle as text, and a search is
an answer in several messages, which ends when its page goes. So a page can be loaded again, opened
twice or left at any time. `docs/decisions/0052-the-page-and-its-server.md` says why.
"""
