// Vue with Vuetify and Element Plus: lists of two libraries, messages by websocket, tabs, a dialog.
import { createApp, onMounted, ref } from 'vue/dist/vue.esm-bundler.js';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';
import 'vuetify/styles';
import { ElMessage, ElOption, ElSelect } from 'element-plus';
import 'element-plus/dist/index.css';

const App = {
  template: `<v-app><v-app-bar title="Timber yard"></v-app-bar><v-main>
    <v-progress-circular v-if="!rows" indeterminate></v-progress-circular>
    <div v-else class="pa-4">
      <v-tabs v-model="tab"><v-tab value="desk">Desk</v-tab><v-tab value="reports">Reports</v-tab></v-tabs>
      <div v-if="tab === 'desk'">
        <h1>Order desk</h1>
        <v-text-field label="Customer" v-model="who"></v-text-field>
        <v-btn @click="order">Place order</v-btn> <v-btn @click="remind">Remind me</v-btn> <v-btn @click="ask = true">Cancel order</v-btn>
        <v-select label="Wood" :items="['Oak', 'Birch', 'Larch']" v-model="wood"></v-select><p>Wood is {{ wood }}</p>
        <v-autocomplete label="City" :items="['Bergen', 'Berlin', 'Bern', 'Madrid']" v-model="city"></v-autocomplete><p>City is {{ city }}</p>
        <label id="tl">Team</label><el-select v-model="team" aria-labelledby="tl" aria-label="Team" placeholder="Choose"><el-option v-for="t in ['Saw', 'Plane', 'Glue']" :key="t" :label="t" :value="t"/></el-select><p>Team is {{ team }}</p>
      </div>
      <div v-else><h1>Reports</h1><p>{{ report }}</p></div>
    </div>
    <v-dialog v-model="ask" width="300"><v-card title="Cancel the order?"><v-btn @click="ask = false; snack = 'The order was cancelled'; open = true">Yes, cancel</v-btn></v-card></v-dialog>
    <v-snackbar v-model="open">{{ snack }}</v-snackbar>
  </v-main></v-app>`,
  watch: { tab(v) { this.report = 'Loading…'; if (v === 'reports') this.ws.send(JSON.stringify({ after: [800], say: ['report:3 orders came in this week'] })); } },
  setup() {
    const rows = ref(null), tab = ref('desk'), who = ref(''), wood = ref('Oak'), city = ref(null), team = ref(''), ask = ref(false), open = ref(false), snack = ref(''), report = ref('');
    const ws = new WebSocket(`ws://${location.host}/ws?first=900`);
    ws.onmessage = e => { if (e.data === 'first') rows.value = [1]; else if (e.data.startsWith('report:')) report.value = e.data.slice(7); else { snack.value = e.data; open.value = true; } };
    const order = () => ws.send(JSON.stringify({ after: [1000], say: [`Order placed for ${who.value}`] }));
    const remind = async () => { await fetch('/json/500/ok'); ElMessage({ message: 'Reminder is set for Monday', type: 'success' }); };
    return { rows, tab, who, wood, city, team, ask, open, snack, report, order, remind, ws };
  },
};
createApp(App).use(createVuetify({ components })).component('ElSelect', ElSelect).component('ElOption', ElOption).mount('#root');
