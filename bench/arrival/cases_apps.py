"""The cases on real applications, and how each application is started. README.md explains the keys.

Every expectation was written down before the first run."""
import os
import pathlib
import shutil
import sys

from cases_pages import step

HERE = pathlib.Path(__file__).resolve().parent
CASES = []
QUIET_ENV = {"STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false", "STREAMLIT_SERVER_HEADLESS": "true", "GRADIO_ANALYTICS_ENABLED": "False",
             "JUPYTER_PLATFORM_DIRS": "1", "MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "1", "BOKEH_RESOURCES": "server"}


def start(app, port, state, folder):
    """The command of an application, an address that answers when it is up, its environment and its folder."""
    cwd = pathlib.Path(folder) / app
    cwd.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ASSAY_", "PYTHONPATH"))} | QUIET_ENV | {"HOME": str(cwd)}
    tool = lambda venv, name: str(need(state / "venv" / venv / "bin" / name))  # noqa: E731
    here = lambda name: str(HERE / "apps" / name)  # noqa: E731
    at = ["127.0.0.1", str(port)]
    streamlit = ["--server.address", at[0], "--server.port", at[1], "--server.fileWatcherType", "none"]
    if app == "hello":
        return [tool("streamlit", "streamlit"), "hello", *streamlit], "/_stcore/health", env, cwd
    if app == "streamlit":
        return [tool("streamlit", "streamlit"), "run", here("streamlit_desk.py"), *streamlit], "/_stcore/health", env, cwd
    if app in ("gradio", "nicegui", "dash"):
        file = {"gradio": "gradio_blocks.py", "nicegui": "nicegui_yard.py", "dash": "dash_stock.py"}[app]
        return [tool(app, "python"), here(file), at[1]], "/", env, cwd
    if app == "shiny":
        return [tool(app, "shiny"), "run", "--host", at[0], "--port", at[1], here("shiny_saw.py")], "/", env, cwd
    if app == "panel":
        return [tool(app, "panel"), "serve", here("panel_saw.py"), "--address", at[0], "--port", at[1]], "/panel_saw", env, cwd
    if app == "jupyterlab":
        (cwd / "notes.txt").write_text("Oak needs two years to dry.\n")
        return [tool(app, "jupyter-lab"), "--ip", at[0], "--port", at[1], "--no-browser", "--allow-root", "--IdentityProvider.token=", "--ServerApp.root_dir=.",
                "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"], "/api", env, cwd
    if app == "mlflow":
        return [tool(app, "mlflow"), "ui", "--host", at[0], "--port", at[1], "--workers", "1"], "/health", env, cwd
    if app in ("react", "vue"):
        return [sys.executable, "-u", str(HERE / "server.py"), at[1], str(need(state / "web" / app))], "/index.html", env, cwd
    raise KeyError(app)


def need(path):
    if not path.exists() and not shutil.which(str(path)):
        raise FileNotFoundError(f"{path.name} is not there: bench/arrival/setup installs it")
    return path


def case(app, kind, name, opens, *steps, **more):
    CASES.append({"name": name, "class": kind, "app": app, "open": opens, "steps": list(steps), **more})


def choose(app, name, opens, target, option, *want, steps=(), **more):
    """`select` must choose; the sentence is tried as well and only reported."""
    case(app, "select", name, opens, *steps, step("select", target, option, want=list(want)),
         twin=[*steps, step("do", f'Choose "{option}" in the {target} dropdown'), step("wait", "--text", want[0], "--timeout", "4000")], **more)


LIGATURES = ["keyboard_", "waving_hand", "storefront", "bar_chart", "calculate", "alarm", "expand_", "arrow_", "double_arrow", "chevron_", "shopping_cart", "check_circle", "_more", "_vert"]

# --- Streamlit, its own demo
case("hello", "arrival", "map of the welcome page", "/", step("map", want=["Welcome to Streamlit", "Plotting demo"], never=["Loading"]))
case("hello", "icons", "map and text of the welcome page", "/", step("map", never=LIGATURES), step("text", want=["Welcome to Streamlit"], never=LIGATURES))
case("hello", "new page", "link to a page that keeps computing", "/", step("click", "Mapping demo", want=['"Mapping demo"']))
case("hello", "new page", "link to a page that draws for seconds", "/", step("click", "Plotting demo", want=['"Plotting demo"'], within=12))
case("hello", "never quiet", "page that draws for seconds", "/plotting_demo", step("map", want=["Plotting demo"], within=6), within=8)

# --- Streamlit, the order desk
case("streamlit", "arrival", "map of the desk", "/", step("map", want=['heading "Order desk"', 'textbox "Customer"', 'button "Place order"', "Calculate"], never=LIGATURES))
case("streamlit", "arrival", "map of the second page", "/reports", step("map", want=['heading "Reports"']), step("text", want=["3 orders came in this week"]))
case("streamlit", "first act", "fill right after go", "/", step("fill", "Customer", "Ada"), step("value", "label=Customer", want=["Ada"]))
case("streamlit", "late effect", "form: success message", "/", step("fill", "Customer", "Ada"), step("click", 'button "Place order"', want=["Order placed for Ada: 3 pieces"]))
case("streamlit", "late effect", "form: error message", "/", step("click", 'button "Place order"', want=["The order has no customer"]))
case("streamlit", "late effect", "button that computes for 1.3 s under a spinner", "/", step("click", "Calculate", want=["The saw plan needs 14 cuts"], never=LIGATURES))
case("streamlit", "late effect", "toast", "/", step("click", "Remind me", want=["Reminder is set for Monday"], never=LIGATURES))
case("streamlit", "late effect", "checkbox", "/", step("check", "Express", want=["Express costs 15 euros more"]))
case("streamlit", "late effect", "dialog, then message", "/", step("click", "Cancel order", want=["Cancel the order?"]),
     step("click", "Yes, cancel", want=["The order was cancelled"]))
case("streamlit", "late effect", "error of the application", "/", step("click", "Start the saw", want=["the saw is broken"]))
case("streamlit", "late effect", "expander", "/", step("click", "Details", want=["The yard is at pier 4"], never=LIGATURES))
case("streamlit", "new page", "page of the application", "/", step("click", 'link "Reports"', want=['heading "Reports"', "3 orders came in this week"], never=LIGATURES))
case("streamlit", "icons", "text and map of the desk", "/", step("text", want=["Order desk", "Calculate", "Details"], never=LIGATURES),
     step("map", want=['link "Desk"', 'button "Calculate"'], never=LIGATURES))
choose("streamlit", "selectbox", "/", "Timber", "Birch", "Birch costs 50 euros")
choose("streamlit", "multiselect", "/", "Extras", "Oiled", "Extras: Oiled")
case("streamlit", "select", "two options of a multiselect", "/", step("select", "Extras", "Planed", "Oiled", want=["Extras: Planed, Oiled"]))
case("streamlit", "ambiguous", "buttons in columns", "/", step("click", "Send", rc=3, each="Send", want=["Offer for Ada", "Offer for Grace"]))

# --- Gradio
case("gradio", "arrival", "map", "/", step("map", want=['heading "Greeter"', 'textbox "Name"', 'button "Greet"', "Style"], never=["Loading"]))
case("gradio", "first act", "fill right after go", "/", step("fill", "Name", "Ada"), step("click", 'button "Greet"', want=["Hello Ada"]))
case("gradio", "late effect", "error message", "/", step("click", 'button "Greet"', want=["The name is missing"]))
case("gradio", "late effect", "answer word by word", "/", step("click", 'tab "Story"'), step("click", "Tell me", want=["Oak needs about two years to dry in a shed with wind."]))
case("gradio", "late effect", "message after a choice", "/", step("click", 'tab "Booking"'), step("check", "Friday"), step("click", 'button "Book"', want=["The saw is booked for Friday"]))
choose("gradio", "dropdown", "/", "Style", "Pirate", "Ahoy Ada")
CASES[-1]["steps"] = [step("select", "Style", "Pirate"), step("fill", "Name", "Ada"), step("click", 'button "Greet"', want=["Ahoy Ada"])]
CASES[-1]["twin"] = [step("do", 'Choose "Pirate" in the Style dropdown'), step("fill", "Name", "Ada"), step("click", 'button "Greet"'),
                     step("wait", "--load"), step("value", "label=Greeting", want=["Ahoy Ada"])]
choose("gradio", "dropdown for several", "/", "Likes", "Birch", "Likes: Birch")
case("gradio", "ambiguous", "number and slider of one label", "/", step("click", "Times", rc=3, each="Times", want=[("spinbutton", "number"), "slider"]))

# --- NiceGUI
case("nicegui", "arrival", "map", "/", step("map", want=[('textbox "Customer"', 'combobox "Customer"'), 'button "Place order"', 'button "Cancel order"'], never=LIGATURES), step("text", want=["Timber yard"], never=LIGATURES))
case("nicegui", "late effect", "text after 0.9 s", "/", step("fill", "Customer", "Ada"), step("click", 'button "Place order"', want=["Order placed for Ada"], never=LIGATURES))
case("nicegui", "late effect", "notification after 0.6 s", "/", step("click", "Remind me", want=["Reminder is set for Monday"], never=LIGATURES))
case("nicegui", "late effect", "dialog, then text", "/", step("click", "Cancel order", want=["Cancel the order?"]), step("click", "Yes, cancel", want=["The order was cancelled"]))
case("nicegui", "late effect", "expansion", "/", step("click", "Details", want=["The yard is at pier 4"], never=LIGATURES))
case("nicegui", "new page", "link to a page without headings", "/", step("click", 'link "Reports"', want=["3 orders came in this week"]))
case("nicegui", "never quiet", "clock of the server, each 500 ms", "/clock", step("map", want=['button "Stop the saw"']), step("click", "Stop the saw", want=["The saw has stopped"], within=6), within=6)
choose("nicegui", "Quasar list", "/", "Wood", "Larch", "Larch costs 50 euros")

# --- Dash
case("dash", "arrival", "map", "/", step("map", want=['heading "Stock"', 'button "Place order"', 'link "Reports"'], never=["Loading"]))
case("dash", "first act", "fill right after go", "/", step("fill", "Customer", "Ada"), step("value", "label=Customer", want=["Ada"]))
case("dash", "late effect", "callback of 1.2 s", "/", step("fill", "Customer", "Ada"), step("click", 'button "Place order"', want=["Order placed for Ada"]))
case("dash", "new page", "page by address", "/", step("click", 'link "Reports"', want=['heading "Reports"', "3 orders came in this week"]))
case("dash", "never quiet", "interval of 400 ms", "/clock", step("map", want=['button "Stop the saw"']), step("click", "Stop the saw", want=["The saw has stopped"], within=6), within=6)
choose("dash", "dropdown", "/", "Timber", "Birch", "Birch costs 50 euros")

# --- Shiny
case("shiny", "arrival", "map and computed text", "/", step("map", want=['heading "Saw plan"', 'textbox "Customer"', 'button "Calculate"']), step("text", want=["Oak costs 30 euros"]))
case("shiny", "late effect", "text after 1.1 s", "/", step("fill", "Customer", "Ada"), step("click", "Calculate", want=["Ada needs 14 cuts"]))
case("shiny", "late effect", "notification", "/", step("click", "Remind me", want=["Reminder is set for Monday"]))
case("shiny", "late effect", "modal", "/", step("click", "Cancel order", want=["Cancel the order?"]))
choose("shiny", "selectize", "/", "Timber", "Larch", "Larch costs 50 euros")

# --- Panel
case("panel", "arrival", "map", "/panel_saw", step("map", want=["Saw plan", 'textbox "Customer"', 'button "Calculate"'], never=["Loading"]))
case("panel", "first act", "fill right after go", "/panel_saw", step("fill", "Customer", "Ada"), step("value", "label=Customer", want=["Ada"]))
case("panel", "late effect", "text after 1 s", "/panel_saw", step("fill", "Customer", "Ada"), step("press", "Tab"), step("click", "Calculate", want=["Ada needs 14 cuts"]))
choose("panel", "list", "/panel_saw", "Timber", "Larch", "Larch costs 50 euros")

# --- JupyterLab
case("jupyterlab", "arrival", "map of the launcher", "/lab", step("map", want=["File", "notes.txt", ("Python 3", "Launcher")], never=["Loading"]))
case("jupyterlab", "first act", "open a menu right after go", "/lab", step("click", 'menuitem "File"', want=[("New Launcher", "Save All", "New")]))
case("jupyterlab", "late effect", "open a new text file", "/lab", step("click", "Text File", want=["untitled.txt"]))

# --- MLflow
case("mlflow", "arrival", "map", "/", step("map", want=["Experiments"], never=["Loading"]))
case("mlflow", "arrival", "map of a route", "/#/experiments", step("map", want=["Default", ("Create", "New")], never=["Loading"]))
case("mlflow", "new page", "route of the application", "/", step("click", 'link "Experiments"', want=["Default"]))

# --- React with three libraries
case("react", "arrival", "map", "/", step("map", want=['heading "Order desk"', 'textbox "Customer"', 'button "Place order"', "Larch"]))
case("react", "first act", "fill right after go", "/", step("fill", "Customer", "Ada"), step("value", "label=Customer", want=["Ada"]))
case("react", "late effect", "message of Material UI after fetch", "/", step("fill", "Customer", "Ada"), step("click", 'button "Place order"', want=["Order placed for Ada"]))
case("react", "late effect", "text by websocket", "/", step("click", "Calculate", want=["The saw plan needs 14 cuts"]))
case("react", "late effect", "message of Ant Design after fetch", "/", step("click", "Remind me", want=["Reminder is set for Monday"]))
case("react", "late effect", "dialog, then message", "/", step("click", "Cancel order", want=["Cancel the order?"]), step("click", "Yes, cancel", want=["The order was cancelled"]))
case("react", "new page", "route in a chunk, then fetch", "/", step("click", 'link "Reports"', want=['heading "Reports"', "2 invoices are overdue"]))
choose("react", "Select of Material UI", "/", "Wood", "Larch", "Wood is Larch")
choose("react", "Autocomplete of Material UI", "/", "City", "Bern", "City is Bern")
choose("react", "react-select", "/", "Grade", "Second", "Grade is Second")
choose("react", "react-select for several", "/", "Extras", "Oiled", "Extras are Oiled")
choose("react", "Select of Ant Design", "/", "Team", "Glue", "Team is Glue")
case("react", "ambiguous", "buttons in list items", "/", step("click", 'button "Edit"', rc=3, each="Edit", want=["Oak", "Birch", "Larch"]))

# --- Vue with two libraries
case("vue", "arrival", "map after a websocket", "/", step("map", want=['heading "Order desk"', 'textbox "Customer"', 'button "Place order"']))
case("vue", "first act", "fill right after go", "/", step("fill", "Customer", "Ada"), step("value", "label=Customer", want=["Ada"]))
case("vue", "late effect", "message of Vuetify by websocket", "/", step("fill", "Customer", "Ada"), step("click", 'button "Place order"', want=["Order placed for Ada"]))
case("vue", "late effect", "message of Element Plus after fetch", "/", step("click", "Remind me", want=["Reminder is set for Monday"]))
case("vue", "late effect", "dialog, then message", "/", step("click", "Cancel order", want=["Cancel the order?"]), step("click", "Yes, cancel", want=["The order was cancelled"]))
case("vue", "new page", "tab, content by websocket", "/", step("click", 'tab "Reports"', want=['heading "Reports"', "3 orders came in this week"]))
choose("vue", "list of Vuetify", "/", "Wood", "Larch", "Wood is Larch")
choose("vue", "suggestions of Vuetify", "/", "City", "Bern", "City is Bern")
choose("vue", "list of Element Plus", "/", "Team", "Glue", "Team is Glue")
