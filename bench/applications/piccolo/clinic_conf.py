import os
from piccolo.engine.sqlite import SQLiteEngine
DB = SQLiteEngine(path=os.environ['CLINIC_DB'])
