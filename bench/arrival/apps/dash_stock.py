"""Callbacks over HTTP: list, button, pages by address, an interval."""
import sys
import time
from dash import Dash, Input, Output, State, dcc, html

app = Dash(__name__, title="Stock", suppress_callback_exceptions=True)
app.layout = html.Div([dcc.Location(id="url"), html.Nav([dcc.Link("Stock", href="/"), " ", dcc.Link("Reports", href="/reports"), " ", dcc.Link("Clock", href="/clock")]),
                       html.Div(id="page")])


@app.callback(Output("page", "children"), Input("url", "pathname"))
def route(path):
    time.sleep(0.6)
    if path == "/reports":
        return [html.H1("Reports"), html.P("3 orders came in this week")]
    if path == "/clock":
        return [html.H1("Clock"), dcc.Interval(id="tick", interval=400), html.P(id="now"), html.Button("Stop the saw", id="stop"), html.P(id="stopped")]
    return [html.H1("Stock"), html.Label("Timber", htmlFor="timber"), dcc.Dropdown(["Oak", "Birch", "Larch"], id="timber"), html.P(id="price"),
            html.Label("Customer", htmlFor="who"), dcc.Input(id="who"), html.Button("Place order", id="order"), dcc.Loading(html.P(id="done"))]


@app.callback(Output("price", "children"), Input("timber", "value"), prevent_initial_call=True)
def price(timber):
    time.sleep(0.7)
    return f"{timber} costs {len(timber or '') * 10} euros"


@app.callback(Output("done", "children"), Input("order", "n_clicks"), State("who", "value"), prevent_initial_call=True)
def order(_, who):
    time.sleep(1.2)
    return f"Order placed for {who}"


app.callback(Output("now", "children"), Input("tick", "n_intervals"))(lambda n: f"Tick {n}")
app.callback(Output("stopped", "children"), Input("stop", "n_clicks"), prevent_initial_call=True)(lambda _: "The saw has stopped")
app.run(host="127.0.0.1", port=int(sys.argv[1]), debug=False)
