# A beekeeper's files.
import json, os, pathlib, sys
root = pathlib.Path(sys.argv[1])
files = {
 'README.md': '# Apiary notebook\n\nEverything about the hives behind the orchard.\n\n## Rules\n\n- Smoke before you open\n- Write the date on every note\n- Never leave a frame outside\n',
 'shopping.txt': 'sugar 25 kg\nfoundation sheets\nhive tool\nbee brush\n',
 'hives/hive-north.md': '# North hive\n\nQueen marked blue, born 2025.\n',
 'hives/hive-south.md': '# South hive\n\nQueen unmarked. Swarmed in May.\n',
 'hives/hive-east.md': '# East hive\n\nWeak colony, feed weekly.\n',
 'harvest/2025.csv': 'hive,kg\nnorth,14\nsouth,9\neast,4\n',
 'harvest/2026.csv': 'hive,kg\nnorth,17\nsouth,12\neast,6\n',
 'letters/inspector.txt': 'Dear Ms. Hallam,\nthe inspection on 4 May is fine with us.\n',
 'letters/neighbour.txt': 'Dear Mr. Pym,\nplease do not spray before dusk.\n',
}
for name, text in files.items():
    at = root / name; at.parent.mkdir(parents=True, exist_ok=True); at.write_text(text)
md = lambda s: {'cell_type': 'markdown', 'id': 'c%d' % abs(hash(s) % 10**8), 'metadata': {}, 'source': s}
def code(i, s, out): return {'cell_type': 'code', 'id': 'k%d' % i, 'metadata': {}, 'execution_count': i, 'source': s, 'outputs': [{'output_type': 'stream', 'name': 'stdout', 'text': out}]}
nb = {'cells': [md('# Honey yield\n\nKilograms per hive in 2026.'), code(1, "hives = {'north': 17, 'south': 12, 'east': 6}\nprint(len(hives), 'hives')", '3 hives\n'), code(2, "print('total', sum(hives.values()), 'kg')", 'total 35 kg\n')],
      'metadata': {'kernelspec': {'display_name': 'Python 3 (ipykernel)', 'language': 'python', 'name': 'python3'}, 'language_info': {'name': 'python'}}, 'nbformat': 4, 'nbformat_minor': 5}
(root / 'yield.ipynb').write_text(json.dumps(nb, indent=1))
for n, p in enumerate(sorted(root.rglob('*'))):
    if p.is_file(): os.utime(p, (1760000000 + n * 86400,) * 2)
