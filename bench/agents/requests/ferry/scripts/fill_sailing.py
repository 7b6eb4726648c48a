import sys

print(f"{sys.argv[2]} passengers on {sys.argv[1]} at the {sys.argv[3]} fare")
