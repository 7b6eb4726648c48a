import sys

print(f"baskets older than {sys.argv[1]} minutes: none")
