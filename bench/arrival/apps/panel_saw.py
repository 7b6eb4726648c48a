"""Bokeh widgets in shadow roots, a websocket to the server."""
import time
import panel as pn

who = pn.widgets.TextInput(name="Customer")
timber = pn.widgets.Select(name="Timber", options=["Oak", "Birch", "Larch"])
go = pn.widgets.Button(name="Calculate")
plan = pn.pane.Markdown("No plan yet")


def calculate(_):
    time.sleep(1.0)
    plan.object = f"{who.value} needs 14 cuts"


go.on_click(calculate)
price = pn.bind(lambda t: f"{t} costs {len(t) * 10} euros", timber)
pn.Column("# Saw plan", who, timber, price, go, plan).servable(title="Saw plan")
