"""A reactive application over a websocket: list, button, notification, modal."""
import asyncio
from shiny import App, reactive, render, ui

app_ui = ui.page_fluid(ui.h1("Saw plan"), ui.input_text("who", "Customer"), ui.input_selectize("timber", "Timber", ["Oak", "Birch", "Larch"]),
                       ui.output_text("price"), ui.input_action_button("go", "Calculate"), ui.output_text("plan"),
                       ui.input_action_button("remind", "Remind me"), ui.input_action_button("cancel", "Cancel order"), title="Saw plan")


def server(input, output, session):
    @render.text
    async def price():
        await asyncio.sleep(0.6)
        return f"{input.timber()} costs {len(input.timber()) * 10} euros"

    @render.text
    @reactive.event(input.go)
    async def plan():
        await asyncio.sleep(1.1)
        return f"{input.who()} needs 14 cuts"

    @reactive.effect
    @reactive.event(input.remind)
    async def _():
        await asyncio.sleep(0.5)
        ui.notification_show("Reminder is set for Monday")

    @reactive.effect
    @reactive.event(input.cancel)
    def _():
        ui.modal_show(ui.modal("This cannot be undone.", title="Cancel the order?"))


app = App(app_ui, server)
