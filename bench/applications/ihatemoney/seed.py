# A weekend at a lake house: four people, twelve bills; and a second project with nobody in it.
import datetime

from ihatemoney.models import Bill, LoggingMode, Person, Project, db
from ihatemoney.run import create_app
from ihatemoney.utils import generate_password_hash

app = create_app()
with app.app_context():
    def project(id, name, code):
        p = Project(id=id, name=name, password=generate_password_hash(code), contact_email="ruth@lake.example", default_currency="XXX")
        p.logging_preference = LoggingMode.ENABLED
        db.session.add(p)
        db.session.commit()
        return p

    lake = project("lakehouse", "Lake House Weekend", "canoe-2024")
    project("bookclub", "Book Club", "margin-77")
    people = {}
    for name, weight in (("Ruth", 1), ("Felix", 2), ("Noor", 1), ("Casper", 1)):
        people[name] = Person(name=name, weight=weight, project=lake)
        db.session.add(people[name])
        db.session.commit()
    everyone = ("Ruth", "Felix", "Noor", "Casper")
    for day, payer, amount, what, owers in (
        ("2024-06-14", "Felix", 480, "Rent of the house", everyone),
        ("2024-06-14", "Ruth", 62.5, "Groceries at the farm shop", everyone),
        ("2024-06-14", "Noor", 30, "Firewood", everyone),
        ("2024-06-15", "Casper", 96, "Canoe hire", ("Ruth", "Noor", "Casper")),
        ("2024-06-15", "Ruth", 18, "Ice cream", ("Ruth", "Noor")),
        ("2024-06-15", "Felix", 45, "Fuel", everyone),
        ("2024-06-16", "Noor", 75, "Dinner at the mill", everyone),
        ("2024-06-16", "Casper", 12.4, "Parking", ("Ruth", "Casper")),
        ("2024-06-17", "Ruth", 40, "Cleaning", everyone),
    ):
        db.session.add(Bill(amount=amount, bill_type="Expense", original_currency="XXX", project_default_currency="XXX", date=datetime.date.fromisoformat(day),
                            owers=[people[n] for n in owers], payer_id=people[payer].id, what=what))
        db.session.commit()
