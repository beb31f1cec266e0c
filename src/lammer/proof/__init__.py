"""The proof room: what a rulebook promises, stated as theorems and proved of the code that decides.

A theorem says what it holds for, which code was run and how, and what stays assumed. What has finitely many
cases is enumerated, every one; what has not (money, stakes, limits) is run on symbolic whole numbers, and an
SMT solver is asked for a counterexample. The room may read rulebooks, the game and the table's deciding
functions; it knows nothing of the floor, of files a house keeps, or of how anything is shown.
"""
