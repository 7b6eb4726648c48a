import sys

print(f"nobody is {sys.argv[1]} hours late; no {sys.argv[2]} sent")
