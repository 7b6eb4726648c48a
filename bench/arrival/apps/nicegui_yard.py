"""Quasar in the browser, a websocket to the server: notification, list, dialog, second page, clock."""
import asyncio
import sys
import time
from nicegui import ui


@ui.page("/")
async def home():
    ui.label("Timber yard").classes("text-h4")
    name = ui.input("Customer")
    out = ui.label()

    async def order():
        await asyncio.sleep(0.9)
        out.set_text(f"Order placed for {name.value}")

    async def remind():
        await asyncio.sleep(0.6)
        ui.notify("Reminder is set for Monday", icon="alarm")
    ui.button("Place order", icon="shopping_cart", on_click=order)
    ui.button("Remind me", icon="alarm", on_click=remind)
    wood = ui.label("Oak costs 30 euros")
    ui.select(["Oak", "Birch", "Larch"], value="Oak", label="Wood", on_change=lambda e: wood.set_text(f"{e.value} costs {len(e.value) * 10} euros"))
    with ui.dialog() as dialog, ui.card():
        ui.label("Cancel the order?")
        ui.button("Yes, cancel", on_click=lambda: (dialog.close(), out.set_text("The order was cancelled")))
    ui.button("Cancel order", on_click=dialog.open)
    with ui.expansion("Details", icon="home"):
        ui.label("The yard is at pier 4")
    ui.link("Reports", "/reports")


@ui.page("/reports")
async def reports():
    await asyncio.sleep(0.5)
    ui.label("Reports").classes("text-h4")
    ui.label("3 orders came in this week")


@ui.page("/clock")
def clock():
    ui.label("Saw clock").classes("text-h4")
    now = ui.label()
    ui.timer(0.5, lambda: now.set_text(time.strftime("%X") + f".{int(time.time() * 10) % 10}"))
    out = ui.label()
    ui.button("Stop the saw", on_click=lambda: out.set_text("The saw has stopped"))


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False, title="Timber yard")
