import sys

print(f"waves of {sys.argv[1]} metres for {sys.argv[2]} minutes")
