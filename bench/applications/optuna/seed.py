# The experiments of a bakery: five studies with fixed trials.
import sys
from datetime import datetime, timedelta
import optuna
from optuna.distributions import CategoricalDistribution as Cat, FloatDistribution as F, IntDistribution as I
from optuna.trial import TrialState, create_trial
optuna.logging.set_verbosity(optuna.logging.WARNING)
url = sys.argv[1]
def trial(params, dists, values=None, state=TrialState.COMPLETE, **attrs):
    t = create_trial(state=state, params=params, distributions=dists, values=values, user_attrs=attrs)
    return t
bread = {'oven': I(200, 260), 'hydration': F(0.6, 0.85), 'flour': Cat(['rye', 'spelt', 'wheat'])}
s = optuna.create_study(storage=url, study_name='sourdough-crust', direction='maximize')
for oven, hyd, flour, score, baker in ((230, 0.72, 'wheat', 6.5, 'Anneli'), (245, 0.75, 'rye', 7.25, 'Anneli'), (250, 0.78, 'spelt', 8.75, 'Bruno'), (215, 0.66, 'wheat', 4.5, 'Bruno'),
                                       (240, 0.8, 'rye', 7.0, 'Bruno'), (255, 0.7, 'spelt', 8.0, 'Anneli')):
    s.add_trial(trial({'oven': oven, 'hydration': hyd, 'flour': flour}, bread, [score], baker=baker))
s.add_trial(trial({'oven': 260, 'hydration': 0.61, 'flour': 'rye'}, bread, state=TrialState.FAIL, baker='Bruno'))
s.set_user_attr('kitchen', 'Harbour Street')
s = optuna.create_study(storage=url, study_name='croissant-layers', direction='maximize')
for n, butter, score in ((16, 0.25, 5.5), (27, 0.3, 9.25), (36, 0.28, 7.5)):
    s.add_trial(trial({'layers': n, 'butter': butter}, {'layers': I(8, 40), 'butter': F(0.2, 0.4)}, [score]))
s = optuna.create_study(storage=url, study_name='oven-energy', direction='minimize')
for temp, vent, kwh in ((180, 'open', 12.5), (200, 'closed', 9.75), (210, 'closed', 10.5), (190, 'open', 11.0)):
    s.add_trial(trial({'temperature': temp, 'vent': vent}, {'temperature': I(150, 250), 'vent': Cat(['open', 'closed'])}, [kwh]))
s = optuna.create_study(storage=url, study_name='bagel-boil', directions=['minimize', 'maximize'])
for sec, cost, taste in ((30, 1.5, 6.0), (45, 2.25, 8.0), (60, 3.0, 8.5), (90, 4.5, 7.0)):
    s.add_trial(trial({'seconds': sec}, {'seconds': I(10, 120)}, [cost, taste]))
optuna.create_study(storage=url, study_name='gingerbread-spices', direction='maximize')
