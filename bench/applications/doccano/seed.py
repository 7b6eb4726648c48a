"""Letters to a town hall: three projects, three people."""
import datetime as dt
import django
django.setup()
from django.contrib.auth.models import User
from examples.models import Comment, Example, ExampleState
from label_types.models import CategoryType, SpanType
from labels.models import Category, Span
from projects.models import Member, Project, Seq2seqProject, SequenceLabelingProject, Tag, TextClassificationProject
from roles.models import Role

PASSWORD = "Lamp-Post-31"
nadia = User.objects.create_superuser("nadia", "nadia@townhall.example", PASSWORD)
pavel = User.objects.create_user("pavel", "pavel@townhall.example", PASSWORD)
irena = User.objects.create_user("irena", "irena@townhall.example", PASSWORD)
role = {name: Role.objects.get(name=name) for name in ("project_admin", "annotator", "annotation_approver")}
day = dt.datetime(2026, 2, 2, 9, 0, tzinfo=dt.timezone.utc)


def project(cls, kind, name, description, tags=(), **more):
    one = cls.objects.create(name=name, description=description, project_type=kind, created_by=nadia, **more)
    one.add_admin()
    for tag in tags:
        Tag.objects.create(project=one, text=tag)
    return one


letters = project(TextClassificationProject, "DocumentClassification", "Citizen letters", "Which office answers the letter?", ["inbox", "2026"],
                  guideline="# How to sort\n\nChoose **one** office per letter. Ask Nadia if you are not sure.\n", collaborative_annotation=True)
places = project(SequenceLabelingProject, "SequenceLabeling", "Place names", "Streets and squares in the minutes of the council", ["maps"])
answers = project(Seq2seqProject, "Seq2seq", "Short answers", "A reply of one sentence to each letter", ["inbox"])
for number, one in enumerate((letters, places, answers)):
    Project.objects.filter(pk=one.pk).update(created_at=day + dt.timedelta(days=number), updated_at=day + dt.timedelta(days=number))
Member.objects.create(project=letters, user=pavel, role=role["annotator"])
Member.objects.create(project=letters, user=irena, role=role["annotation_approver"])
Member.objects.create(project=places, user=pavel, role=role["annotator"])

colors = {"Roads": "#795548", "Waste": "#2e7d32", "Parks": "#00695c", "Taxes": "#283593", "Noise": "#c62828"}
kinds = {}
for number, (text, color) in enumerate(colors.items()):
    kinds[text] = CategoryType.objects.create(project=letters, text=text, background_color=color, suffix_key="rwptn"[number])

texts = [
    ("The street lamp in front of number 12 has been dark for two weeks.", None),
    ("Please empty the paper container behind the library more often.", "Waste"),
    ("There is a deep hole in the road near the bus depot.", "Roads"),
    ("Could you plant more trees around the playground?", "Parks"),
    ("I paid the dog tax twice this year and ask for the money back.", "Taxes"),
    ("The music from the bar keeps us awake until three in the morning.", None),
    ("Who clears the snow from the path to the school?", None),
    ("My bin for glass was not collected on Monday.", None),
    ("The bench by the pond is broken.", None),
    ("How do I apply for a lower property tax?", None),
    ("A tree fell on the cycle path after the storm.", None),
    ("The container for old clothes is full of rubbish.", None),
]
made = []
for number, (text, label) in enumerate(texts):
    one = Example.objects.create(project=letters, text=text, upload_name="letters-february.txt", filename="letters-february.txt", meta={"letter": 301 + number})
    Example.objects.filter(pk=one.pk).update(created_at=day + dt.timedelta(hours=number), updated_at=day + dt.timedelta(hours=number))
    made.append(one)
    if label:
        Category.objects.create(example=one, label=kinds[label], user=pavel, manual=True)
for one in made[1:4]:
    ExampleState.objects.create(example=one, confirmed_by=pavel)
first = Comment.objects.create(example=made[0], user=pavel, text="Roads or Parks? The lamp stands in the park.")
second = Comment.objects.create(example=made[4], user=irena, text="The tax office has answered already.")
Comment.objects.filter(pk=first.pk).update(created_at=day, updated_at=day)
Comment.objects.filter(pk=second.pk).update(created_at=day, updated_at=day)

street = SpanType.objects.create(project=places, text="Street", background_color="#5d4037", suffix_key="s")
SpanType.objects.create(project=places, text="Square", background_color="#00838f", suffix_key="q")
for number, text in enumerate(("The market moves from Linden Square to Mill Street in May.", "Bakers Row stays closed to cars.", "The council renames Station Square.")):
    one = Example.objects.create(project=places, text=text, upload_name="minutes.txt", filename="minutes.txt")
    Example.objects.filter(pk=one.pk).update(created_at=day + dt.timedelta(hours=number))
    if number == 1:
        Span.objects.create(example=one, label=street, user=nadia, start_offset=0, end_offset=10, manual=True)
for number, text in enumerate(("When is the town hall open?", "Where can I renew my passport?")):
    one = Example.objects.create(project=answers, text=text, upload_name="questions.txt", filename="questions.txt")
    Example.objects.filter(pk=one.pk).update(created_at=day + dt.timedelta(hours=number))
