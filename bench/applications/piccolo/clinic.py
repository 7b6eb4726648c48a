# A veterinary clinic: owners, patients, visits. Run as a script it makes the tables and the seed data.
import asyncio, datetime, enum, warnings
from decimal import Decimal
warnings.filterwarnings('ignore')
from piccolo.columns import Boolean, Date, ForeignKey, Integer, Numeric, Text, Varchar
from piccolo.table import Table, create_db_tables
from piccolo.apps.user.tables import BaseUser
from piccolo_api.session_auth.tables import SessionsBase
from piccolo_admin.endpoints import OrderBy, TableConfig, create_admin

class Owner(Table):
    name = Varchar(length=100)
    phone = Varchar(length=30)
    town = Varchar(length=60)
    @classmethod
    def get_readable(cls):
        from piccolo.columns.readable import Readable
        return Readable(template='%s', columns=[cls.name])

class Patient(Table):
    class Species(str, enum.Enum):
        dog = 'Dog'
        cat = 'Cat'
        rabbit = 'Rabbit'
        parrot = 'Parrot'
    name = Varchar(length=60)
    species = Varchar(length=20, choices=Species, default=Species.dog)
    owner = ForeignKey(Owner)
    weight_kg = Numeric(digits=(5, 2), default=Decimal('0'))
    vaccinated = Boolean(default=False)
    born = Date(null=True, default=None)
    @classmethod
    def get_readable(cls):
        from piccolo.columns.readable import Readable
        return Readable(template='%s', columns=[cls.name])

class Visit(Table):
    patient = ForeignKey(Patient)
    seen_on = Date()
    reason = Varchar(length=120)
    fee = Integer(default=0)
    notes = Text(default='')

app = create_admin([
    TableConfig(Owner, menu_group='Clients'),
    TableConfig(Patient, menu_group='Clients', order_by=[OrderBy(Patient.name, ascending=True)]),
    TableConfig(Visit, menu_group='Surgery', order_by=[OrderBy(Visit.seen_on, ascending=False)]),
], site_name='Fetlock Veterinary Clinic', auth_table=BaseUser, session_table=SessionsBase, sidebar_links={'Dearest visits': '/#/visit?__order=-fee'})

async def seed():
    await create_db_tables(Owner, Patient, Visit, BaseUser, SessionsBase)
    await BaseUser.create_user(username='vera', password='Fetlock-42', email='vera@fetlock.example', admin=True, active=True, superuser=True)
    o = {}
    for name, phone, town in (('Agnes Thorpe', '555-0101', 'Millbrook'), ('Dov Levin', '555-0102', 'Eastham'), ('Imani Okoro', '555-0103', 'Millbrook'), ('Lars Friis', '555-0104', 'Cold Harbour'), ('Rosa Quint', '555-0105', 'Eastham'), ('Walt Nyberg', '555-0106', 'Cold Harbour')):
        o[name] = Owner(name=name, phone=phone, town=town); await o[name].save()
    p = {}
    D = datetime.date
    for name, sp, owner, kg, vac, born in (('Biscuit', 'Dog', 'Agnes Thorpe', 12.4, True, D(2019, 5, 2)), ('Clover', 'Rabbit', 'Imani Okoro', 2.1, False, D(2023, 3, 18)), ('Duchess', 'Cat', 'Dov Levin', 4.8, True, D(2016, 11, 30)),
            ('Hector', 'Dog', 'Lars Friis', 38.5, True, D(2018, 1, 9)), ('Juniper', 'Cat', 'Rosa Quint', 3.9, False, D(2024, 6, 21)), ('Mango', 'Parrot', 'Rosa Quint', 0.45, False, D(2010, 8, 1)),
            ('Olive', 'Cat', 'Agnes Thorpe', 5.2, True, D(2020, 2, 14)), ('Pepper', 'Dog', 'Imani Okoro', 21.0, False, D(2022, 9, 5)), ('Thistle', 'Rabbit', 'Dov Levin', 1.7, True, D(2021, 12, 12))):
        p[name] = Patient(name=name, species=sp, owner=o[owner].id, weight_kg=Decimal(str(kg)), vaccinated=vac, born=born); await p[name].save()
    reasons = ('Check-up', 'Vaccination', 'Limping', 'Dental cleaning', 'Ear infection', 'Nail trim')
    fees = (45, 30, 80, 120, 65, 15)
    names = list(p)
    for i in range(24):
        await Visit(patient=p[names[i % 9]].id, seen_on=D(2026, 10, 1) + datetime.timedelta(days=i), reason=reasons[i % 6], fee=fees[i % 6] + (5 if i == 15 else 0), notes='Seen by Dr. Vera.' if i % 4 == 0 else '').save()

if __name__ == '__main__':
    asyncio.run(seed())
