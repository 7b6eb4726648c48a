import sys

print(f"{sys.argv[1]} has a crew for the {sys.argv[2]} shift")
