"""The applications that nobody here wrote: how each is installed, seeded and started.

They are installed by package name from PyPI, once, into the folder `home`. Their data is copied for each start.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
APPLICATIONS = HERE.parent.parent / "applications"
PACKAGES = {
    "library": ["Django==5.2.*"],
    "park": ["datasette==0.65.5"],
    "bakery": ["fava==1.30.16", "beancount==3.2.3"],
    "lakehouse": ["ihatemoney==7.2.1"],
}
READY = {"library": "/admin/login/", "park": "/-/versions.json", "bakery": "/", "lakehouse": "/"}


def environment(name, data):
    env = dict(os.environ, TZ="UTC", PYTHONDONTWRITEBYTECODE="1")
    if name == "library":
        env["LIBRARY_DB"] = str(data / "library.db")
    if name == "lakehouse":
        env["IHATEMONEY_SETTINGS_FILE_PATH"] = str(data / "settings.cfg")
        data.mkdir(parents=True, exist_ok=True)
        (data / "settings.cfg").write_text(f'SQLALCHEMY_DATABASE_URI = "sqlite:///{data}/money.db"\nSECRET_KEY = "only-for-loopback"\n'
                                           'SESSION_COOKIE_SECURE = False\nBABEL_DEFAULT_TIMEZONE = "UTC"\nRATELIMIT_ENABLED = False\n')
    return env


def prepare(home, name):
    """Installs and seeds one application, unless that is done."""
    base = home / name
    python = base / "venv/bin/python"
    wanted = " ".join(PACKAGES[name])
    mark = base / "ready"
    if mark.exists() and mark.read_text() == wanted:
        return base
    print(f"installing {wanted}", file=sys.stderr)
    base.mkdir(parents=True, exist_ok=True)
    log = open(base / "install.log", "w")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", base / "venv"], check=True, stdout=log, stderr=log)
    subprocess.run([base / "venv/bin/pip", "install", "-q", *PACKAGES[name]], check=True, stdout=log, stderr=log)
    seed = base / "seed"
    shutil.rmtree(seed, ignore_errors=True)
    seed.mkdir()
    env = environment(name, seed)
    if name == "library":
        shutil.rmtree(base / "site", ignore_errors=True)
        shutil.copytree(HERE / "library", base / "site")
        for act in (["makemigrations", "books"], ["migrate"], ["fill"]):
            subprocess.run([python, base / "site/manage.py", *act], check=True, env=env, stdout=log, stderr=log)
    elif name == "park":
        subprocess.run([python, HERE / "park.py", seed / "park.db"], check=True, env=env, stdout=log, stderr=log)
    elif name == "bakery":
        shutil.copy(APPLICATIONS / "fava/bakery.beancount", seed)
    elif name == "lakehouse":
        subprocess.run([python, APPLICATIONS / "ihatemoney/seed.py"], check=True, env=env, stdout=log, stderr=log)
    mark.write_text(wanted)
    return base


def start(home, name, data, port):
    """Starts one application on a copy of its data in `data`, and returns its process."""
    base = prepare(home, name)
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(base / "seed", data)
    env = environment(name, data)
    python, bin = str(base / "venv/bin/python"), base / "venv/bin"
    command = {
        "library": [python, str(base / "site/manage.py"), "runserver", "--noreload", f"127.0.0.1:{port}"],
        "park": [str(bin / "datasette"), "serve", "-h", "127.0.0.1", "-p", str(port), str(data / "park.db"), "--setting", "default_page_size", "20"],
        "bakery": [str(bin / "fava"), "--host", "127.0.0.1", "--port", str(port), str(data / "bakery.beancount")],
        "lakehouse": [python, str(APPLICATIONS / "ihatemoney/serve.py"), str(port)],
    }[name]
    log = open(data / "server.log", "w")
    process = subprocess.Popen(command, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{READY[name]}", timeout=5).read()
            return process
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    process.kill()
    raise RuntimeError(f"{name} does not start, see {data}/server.log")
