"""Blocks with text, lists, slider, tabs, messages and an answer that arrives word by word."""
import sys
import time
import gradio as gr


def greet(name, style, times):
    time.sleep(1.0)
    if not name:
        raise gr.Error("The name is missing")
    word = {"Plain": "Hello", "Pirate": "Ahoy", "Formal": "Good day"}[style]
    return " ".join([f"{word} {name}"] * int(times))


def tell(topic):
    said = ""
    for word in f"{topic} needs about two years to dry in a shed with wind.".split():
        time.sleep(0.12)
        said += word + " "
        yield said


def book(day):
    time.sleep(0.7)
    gr.Info(f"The saw is booked for {day}")


with gr.Blocks(title="Greeter") as app:
    gr.Markdown("# Greeter")
    with gr.Tab("Welcome"):
        name = gr.Textbox(label="Name")
        style = gr.Dropdown(["Plain", "Pirate", "Formal"], value="Plain", label="Style")
        times = gr.Slider(1, 5, value=1, step=1, label="Times")
        answer = gr.Textbox(label="Greeting", interactive=False)
        gr.Button("Greet").click(greet, [name, style, times], answer)
        likes = gr.Dropdown(["Oak", "Birch", "Larch"], multiselect=True, label="Likes")
        shown = gr.Markdown("Nothing yet")
        likes.change(lambda x: (time.sleep(0.5), "Likes: " + ", ".join(x))[1], likes, shown)
    with gr.Tab("Story"):
        topic = gr.Textbox(label="Topic", value="Oak")
        story = gr.Markdown()
        gr.Button("Tell me").click(tell, topic, story)
    with gr.Tab("Booking"):
        day = gr.Radio(["Monday", "Friday"], value="Monday", label="Day")
        gr.Button("Book").click(book, day)

app.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
