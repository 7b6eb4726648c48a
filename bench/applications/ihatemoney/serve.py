# Serves the application on the loopback.
import sys

from ihatemoney.run import create_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), create_app(), threaded=True)
