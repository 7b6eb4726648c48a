# A pottery studio's books: members, glazes, firings.
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.executescript('''
CREATE TABLE members (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT, level TEXT NOT NULL DEFAULT 'beginner', joined TEXT, shelf INTEGER);
CREATE TABLE glazes (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, cone INTEGER NOT NULL, stock_kg NUMERIC, food_safe INTEGER NOT NULL DEFAULT 1);
CREATE TABLE firings (id INTEGER PRIMARY KEY AUTOINCREMENT, member_id INTEGER NOT NULL REFERENCES members(id), glaze_id INTEGER REFERENCES glazes(id), fired_on TEXT NOT NULL, pieces INTEGER NOT NULL, note TEXT);
CREATE VIEW big_firings AS SELECT * FROM firings WHERE pieces >= 12;
''')
c.executemany('INSERT INTO members(name,email,level,joined,shelf) VALUES (?,?,?,?,?)', [
 ('Hanna Brook', 'hanna@kiln.example', 'advanced', '2019-03-04', 12),
 ('Piotr Vale', 'piotr@kiln.example', 'beginner', '2021-11-19', 7),
 ('Sunniva Dahl', 'sunniva@kiln.example', 'teacher', '2016-01-30', 1),
 ('Omar Tiles', 'omar@kiln.example', 'advanced', '2020-07-21', 21),
 ('Greta Loam', None, 'beginner', '2023-05-02', 17),
 ('Yuki Sand', 'yuki@kiln.example', 'beginner', '2023-09-14', None),
 ('Bram Kaolin', 'bram@kiln.example', 'teacher', '2015-12-12', 2),
 ('Ilka Stoneware', 'ilka@kiln.example', 'beginner', '2024-02-11', 26)])
c.executemany('INSERT INTO glazes(name,cone,stock_kg,food_safe) VALUES (?,?,?,?)', [
 ('Celadon', 10, 14.5, 1), ('Tenmoku', 10, 8.25, 1), ('Shino', 9, 3, 1), ('Copper Red', 10, 1.75, 0), ('Matte White', 6, 22, 1), ('Lichen', 6, 0.5, 0)])
c.executemany('INSERT INTO firings(member_id,glaze_id,fired_on,pieces,note) VALUES (?,?,?,?,?)', [
 ((i * 3) % 7 + 1, (i * 5) % 6 + 1, f'2024-{i % 9 + 1:02d}-{(i * 7) % 27 + 1:02d}', (i * 11) % 17 + 1, [None, 'reduction', 'slow cooling', 'cracked shelf'][i % 4]) for i in range(64)])
c.commit()
