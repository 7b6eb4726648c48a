// Screens with Vuetify. A page names its screen in <body data-screen="…">.
import { createApp } from 'vue';
import 'vuetify/styles';
import { createVuetify } from 'vuetify';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import { VAlert } from 'vuetify/components/VAlert';
import { VApp } from 'vuetify/components/VApp';
import { VAppBar, VAppBarTitle } from 'vuetify/components/VAppBar';
import { VAutocomplete } from 'vuetify/components/VAutocomplete';
import { VBadge } from 'vuetify/components/VBadge';
import { VBtn } from 'vuetify/components/VBtn';
import { VCard, VCardActions, VCardText, VCardTitle } from 'vuetify/components/VCard';
import { VCheckbox } from 'vuetify/components/VCheckbox';
import { VChip } from 'vuetify/components/VChip';
import { VChipGroup } from 'vuetify/components/VChipGroup';
import { VCombobox } from 'vuetify/components/VCombobox';
import { VContainer, VSpacer } from 'vuetify/components/VGrid';
import { VDataTable } from 'vuetify/components/VDataTable';
import { VDatePicker } from 'vuetify/components/VDatePicker';
import { VDialog } from 'vuetify/components/VDialog';
import { VExpansionPanel, VExpansionPanelText, VExpansionPanelTitle, VExpansionPanels } from 'vuetify/components/VExpansionPanel';
import { VForm } from 'vuetify/components/VForm';
import { VIcon } from 'vuetify/components/VIcon';
import { VList, VListItem, VListItemSubtitle, VListItemTitle } from 'vuetify/components/VList';
import { VMain } from 'vuetify/components/VMain';
import { VMenu } from 'vuetify/components/VMenu';
import { VNavigationDrawer } from 'vuetify/components/VNavigationDrawer';
import { VPagination } from 'vuetify/components/VPagination';
import { VProgressLinear } from 'vuetify/components/VProgressLinear';
import { VRadio } from 'vuetify/components/VRadio';
import { VRadioGroup } from 'vuetify/components/VRadioGroup';
import { VRating } from 'vuetify/components/VRating';
import { VSelect } from 'vuetify/components/VSelect';
import { VSkeletonLoader } from 'vuetify/components/VSkeletonLoader';
import { VSlider } from 'vuetify/components/VSlider';
import { VSnackbar } from 'vuetify/components/VSnackbar';
import { VSwitch } from 'vuetify/components/VSwitch';
import { VTab, VTabs, VTabsWindow, VTabsWindowItem } from 'vuetify/components/VTabs';
import { VTextField } from 'vuetify/components/VTextField';
import { VTextarea } from 'vuetify/components/VTextarea';
import { VTooltip } from 'vuetify/components/VTooltip';

const required = (text) => (v) => !!v || text;
const screens = {
  'visit-form': {
    data: () => ({
      name: '', email: '', size: '', lang: null, text: '', school: false, busy: false, answer: null,
      nameRules: [required('Contact person is required')],
      emailRules: [required('Email is required'), (v) => /^\S+@\S+\.\S+$/.test(v) || 'Email is not valid'],
      sizeRules: [required('Group size is required'), (v) => +v <= 25 || 'At most 25 people per group'],
    }),
    methods: {
      async send() {
        this.answer = null;
        const { valid } = await this.$refs.form.validate();
        if (!valid) return;
        this.busy = true;
        const r = await fetch('/api/visits', { method: 'POST', body: JSON.stringify({ size: this.size }) });
        this.busy = false;
        this.answer = r.ok ? { type: 'info', text: 'Request received. We will answer within two days.' } : { type: 'error', text: 'We could not take your request' };
      },
    },
    template: `<v-container style="max-width: 640px">
      <h1 class="text-h5 mb-4">Request a group visit</h1>
      <v-form ref="form" validate-on="submit lazy" @submit.prevent="send">
        <v-text-field v-model="name" label="Contact person" :rules="nameRules" counter="30"></v-text-field>
        <v-text-field v-model="email" label="Email" type="email" :rules="emailRules" hint="For the confirmation of your visit"></v-text-field>
        <v-text-field v-model="size" label="Group size" type="number" :rules="sizeRules"></v-text-field>
        <v-select v-model="lang" label="Language of the tour" :items="[{title: 'English', value: 'en'}, {title: 'German', value: 'de'}, {title: 'Dutch', value: 'nl', props: {disabled: true}}]"></v-select>
        <v-textarea v-model="text" label="Message" rows="2" hint="Tell us about wheelchairs or allergies" persistent-hint></v-textarea>
        <v-checkbox v-model="school" label="School group"></v-checkbox>
        <v-btn type="submit" color="primary" :loading="busy">Send request</v-btn>
      </v-form>
      <v-alert v-if="answer" class="mt-4" :type="answer.type" :text="answer.text"></v-alert>
    </v-container>`,
  },
  'stock-table': {
    data: () => ({
      q: '', sel: [], per: 5,
      headers: [{ title: 'SKU', key: 'sku' }, { title: 'Product', key: 'name' }, { title: 'Stock', key: 'stock', align: 'end' }, { title: 'Price', key: 'price', align: 'end' }, { title: 'State', key: 'state', sortable: false }],
      items: [['SK-101', 'Desk lamp', 14, 29.9], ['SK-102', 'Floor lamp', 0, 89], ['SK-103', 'Office chair', 6, 149], ['SK-104', 'Bar stool', 22, 59.5], ['SK-105', 'Bookcase', 3, 119],
        ['SK-106', 'Side table', 0, 45], ['SK-107', 'Coat rack', 9, 39], ['SK-108', 'Mirror', 17, 65], ['SK-109', 'Lampshade', 31, 12.5], ['SK-110', 'Rug', 5, 98], ['SK-111', 'Wall clock', 8, 24]]
        .map(([sku, name, stock, price]) => ({ sku, name, stock, price, state: stock === 0 ? 'Sold out' : stock < 5 ? 'Low' : 'OK' })),
    }),
    template: `<v-container>
      <div class="d-flex align-center mb-2"><h1 class="text-h5">Warehouse stock</h1><v-spacer></v-spacer>
        <v-text-field v-model="q" label="Search products" density="compact" hide-details max-width="280" clearable></v-text-field></div>
      <p v-if="sel.length" class="mb-2">{{ sel.length }} marked for reorder</p>
      <v-data-table v-model="sel" v-model:items-per-page="per" :headers="headers" :items="items" :search="q" item-value="sku" show-select density="compact"
        :items-per-page-options="[5, 10, {title: 'All', value: -1}]">
        <template #item.price="{ item }">\${{ item.price.toFixed(2) }}</template>
        <template #item.state="{ item }"><v-chip size="small" :color="item.state === 'OK' ? 'green' : 'red'">{{ item.state }}</v-chip></template>
      </v-data-table>
    </v-container>`,
  },
  'voucher-checkout': {
    data: () => ({ code: '', error: '', off: 0, busy: false, snack: false, paid: false, promo: true }),
    computed: { total() { return (120 - this.off).toFixed(2); } },
    methods: {
      apply() {
        this.busy = true; this.error = '';
        setTimeout(() => {
          this.busy = false;
          if (this.code.trim().toUpperCase() === 'SPRING10') { this.off = 12; this.snack = true; }
          else if (this.code.trim().toUpperCase() === 'WINTER25') this.error = 'This code has expired';
          else this.error = 'We do not know this code';
        }, 900);
      },
    },
    template: `<v-container style="max-width: 640px">
      <h1 class="text-h5 mb-2">Your order</h1>
      <v-alert v-model="promo" closable type="info" variant="tonal" class="mb-4" title="Members save more" text="Use WINTER25 for 25% off until 28 February."></v-alert>
      <v-card class="mb-4"><v-card-text>
        <div class="d-flex"><span>Ceramics workshop, 2 places</span><v-spacer></v-spacer><span>$120.00</span></div>
        <div v-show="off"><div class="d-flex"><span>Voucher discount</span><v-spacer></v-spacer><span>-\${{ off.toFixed(2) }}</span></div></div>
        <div class="d-flex font-weight-bold"><span>Total</span><v-spacer></v-spacer><span>\${{ total }}</span></div>
      </v-card-text></v-card>
      <div class="d-flex ga-2"><v-text-field v-model="code" label="Voucher code" :error-messages="error" :disabled="off > 0"></v-text-field>
        <v-btn class="mt-2" :loading="busy" :disabled="!code || off > 0" @click="apply">Apply</v-btn></div>
      <v-btn color="primary" block @click="paid = true" :disabled="paid">Pay now</v-btn>
      <v-dialog v-model="paid" width="380"><v-card title="Card declined" text="Your bank did not accept the payment. You have not been charged."><v-card-actions><v-btn @click="paid = false">Try again</v-btn></v-card-actions></v-card></v-dialog>
      <v-snackbar v-model="snack" :timeout="6000">Voucher applied<template #actions><v-btn variant="text" @click="snack = false">Close</v-btn></template></v-snackbar>
    </v-container>`,
  },
  'project-delete': {
    data: () => ({ open: false, name: '', typed: '', busy: false, gone: '', list: [['atlas-prod', 'Production'], ['atlas-test', 'Testing'], ['atlas-docs', 'Documentation']] }),
    methods: {
      ask(n) { this.name = n; this.typed = ''; this.open = true; },
      really() {
        this.busy = true;
        setTimeout(() => { this.busy = false; this.open = false; this.list = this.list.filter(([n]) => n !== this.name); this.gone = this.name; }, 800);
      },
    },
    template: `<v-container style="max-width: 720px">
      <h1 class="text-h5 mb-2">Projects</h1>
      <v-alert v-if="gone" type="warning" variant="tonal" class="mb-2">{{ gone }} is scheduled for deletion. You can restore it within 30 days.</v-alert>
      <v-list><v-list-item v-for="[n, t] in list" :key="n" :title="n" :subtitle="t"><template #append><v-btn size="small" variant="outlined" @click="ask(n)">Delete</v-btn></template></v-list-item></v-list>
      <v-dialog v-model="open" persistent width="460"><v-card :title="'Delete ' + name + '?'"><v-card-text>Type the project name to confirm.<v-text-field v-model="typed" label="Project name" class="mt-2"></v-text-field></v-card-text>
        <v-card-actions><v-btn @click="open = false">Cancel</v-btn><v-btn color="red" :disabled="typed !== name" :loading="busy" @click="really">Delete project</v-btn></v-card-actions></v-card></v-dialog>
    </v-container>`,
  },
  'trip-search': {
    data: () => ({ from: 'Lyon', to: null, extras: ['Bike', 'Dog', 'Table seat'], cls: '2nd class', tags: ['Window'], said: '' , stations: ['Lille', 'Lyon', 'Marseille', 'Nantes', 'Nancy', 'Nice'] }),
    template: `<v-container style="max-width: 640px">
      <h1 class="text-h5 mb-4">Find a train</h1>
      <v-autocomplete v-model="from" label="From" :items="stations"></v-autocomplete>
      <v-autocomplete v-model="to" label="To" :items="stations" placeholder="Any station" clearable no-data-text="No such station"></v-autocomplete>
      <v-select v-model="cls" label="Class" :items="['1st class', '2nd class', {title: 'Sleeper', value: 'sl', props: {disabled: true, subtitle: 'Not on this line'}}]"></v-select>
      <v-select v-model="extras" label="Extras" :items="['Bike', 'Dog', 'Table seat', 'Wheelchair']" multiple><template #selection="{ item, index }"><v-chip v-if="index < 2">{{ item.title }}</v-chip><span v-if="index === 2" class="text-caption">(+{{ extras.length - 2 }} more)</span></template></v-select>
      <v-combobox v-model="tags" label="Wishes" chips multiple closable-chips :items="['Window', 'Quiet area']"></v-combobox>
      <v-btn color="primary" @click="said = !to ? 'Choose where you want to go' : to === from ? 'Start and destination are the same' : 'Trains from ' + from + ' to ' + to + ', ' + cls">Search</v-btn>
      <p class="mt-4">{{ said }}</p>
    </v-container>`,
  },
  'appointment-date': {
    data: () => ({ day: new Date(2025, 9, 14), time: null, booked: '' }),
    computed: {
      iso() { const d = this.day; return d ? d.getFullYear() + '-' + String(d.getMonth() + 1).padStart(2, '0') + '-' + String(d.getDate()).padStart(2, '0') : ''; },
      times() { return this.day && this.day.getDate() % 2 ? ['08:30', '13:00'] : ['09:00', '11:20', '15:45']; },
    },
    watch: { day() { this.time = null; } },
    methods: { ok: (d) => { const x = new Date(d); return x.getDay() % 6 !== 0 && x.getDate() !== 16; } },
    template: `<v-container><h1 class="text-h5 mb-2">Book an eye test</h1>
      <div class="d-flex ga-6"><v-date-picker v-model="day" :allowed-dates="ok" title="Day of the test" show-adjacent-months></v-date-picker>
        <div><h2 class="text-subtitle-1">Free times on {{ iso }}</h2>
          <v-radio-group v-model="time"><v-radio v-for="t in times" :key="t" :label="t" :value="t"></v-radio><v-radio label="17:30 (taken)" value="x" disabled></v-radio></v-radio-group>
          <v-btn color="primary" :disabled="!time" @click="booked = iso + ' at ' + time">Book</v-btn>
          <p v-if="booked" class="mt-3">Booked for {{ booked }}</p></div></div></v-container>`,
  },
  'privacy-panels': {
    data: () => ({ open: ['who'], find: true, seen: false, who: 'friends', ads: false }),
    template: `<v-container style="max-width: 760px"><h1 class="text-h5 mb-3">Privacy</h1>
      <v-expansion-panels v-model="open" multiple>
        <v-expansion-panel value="who" title="Who can see my profile"><v-expansion-panel-text><v-radio-group v-model="who"><v-radio label="Everyone" value="all"></v-radio><v-radio label="Friends only" value="friends"></v-radio><v-radio label="Nobody" value="none"></v-radio></v-radio-group></v-expansion-panel-text></v-expansion-panel>
        <v-expansion-panel value="find" title="Search and activity" eager><v-expansion-panel-text eager><v-switch v-model="find" label="Show me in search" color="primary" hide-details></v-switch><v-switch v-model="seen" label="Show when I was last online" color="primary" hide-details></v-switch></v-expansion-panel-text></v-expansion-panel>
        <v-expansion-panel value="ads" title="Advertising" eager><v-expansion-panel-text eager><v-switch v-model="ads" label="Personalised ads" color="primary" :disabled="who === 'none'" hide-details></v-switch><p>Ads pay for this service.</p></v-expansion-panel-text></v-expansion-panel>
        <v-expansion-panel value="del" title="Delete my account" disabled><v-expansion-panel-text>This cannot be undone.</v-expansion-panel-text></v-expansion-panel>
      </v-expansion-panels>
      <p class="mt-4">Profile visible to: {{ {all: 'everyone', friends: 'friends', none: 'nobody'}[who] }}</p></v-container>`,
  },
  'course-tabs': {
    data: () => ({ tab: 'about', page: 1, posts: ['Where do I find the slides?', 'Is lab 2 graded?', 'Typo on page 14', 'Exam room changed?', 'Group for project', 'Late submission', 'Python or R?'] }),
    template: `<v-container style="max-width: 860px"><h1 class="text-h5">Statistics I</h1>
      <v-tabs v-model="tab" color="primary"><v-tab value="about">About</v-tab><v-tab value="work">Assignments</v-tab><v-tab value="forum">Forum</v-tab><v-tab value="grades" disabled>Grades</v-tab></v-tabs>
      <v-tabs-window v-model="tab" class="pt-4">
        <v-tabs-window-item value="about" :transition="false" :reverse-transition="false"><p>Taught by Prof. Yara Haas on Tuesdays. The exam is on 12 February.</p></v-tabs-window-item>
        <v-tabs-window-item value="work" eager :transition="false" :reverse-transition="false"><v-list><v-list-item title="Lab 1: Mean and median" subtitle="Handed in on 3 November"></v-list-item><v-list-item title="Lab 2: Distributions" subtitle="Due on 24 November"></v-list-item><v-list-item title="Lab 3: Regression" subtitle="Opens on 1 December" disabled></v-list-item></v-list></v-tabs-window-item>
        <v-tabs-window-item value="forum" eager :transition="false" :reverse-transition="false"><v-list><v-list-item v-for="p in posts.slice(page * 3 - 3, page * 3)" :key="p" :title="p"></v-list-item></v-list><v-pagination v-model="page" :length="3"></v-pagination></v-tabs-window-item>
      </v-tabs-window></v-container>`,
  },
  'mail-drawer': {
    data: () => ({ box: 'Inbox', sel: null, mails: [['Inbox', 'Rent for May', 'Housing office', true], ['Inbox', 'Your parcel is late', 'PostNow', true], ['Inbox', 'Minutes of Monday', 'Ilse Brandt', false], ['Archive', 'Old contract', 'Housing office', false]].map(([box, subject, from, unread], id) => ({ id, box, subject, from, unread })) }),
    computed: { here() { return this.mails.filter((m) => m.box === this.box); }, unread() { return this.mails.filter((m) => m.box === 'Inbox' && m.unread).length; } },
    template: `<v-app-bar><v-app-bar-title>Postbox</v-app-bar-title><v-menu><template #activator="{ props }"><v-btn v-bind="props">Options</v-btn></template><v-list><v-list-item title="Mark all as read" @click="mails.forEach(m => m.unread = false)"></v-list-item><v-list-item title="Empty trash" disabled></v-list-item></v-list></v-menu></v-app-bar>
      <v-navigation-drawer permanent><v-list nav><v-list-item v-for="b in ['Inbox', 'Archive', 'Trash']" :key="b" :active="box === b" @click="box = b; sel = null"><v-badge v-if="b === 'Inbox'" inline color="error" :content="unread" :model-value="unread > 0"><span>Inbox</span></v-badge><span v-else>{{ b }}</span></v-list-item></v-list></v-navigation-drawer>
      <v-main><v-container><h1 class="text-h5">{{ box }}</h1>
        <p v-if="!here.length" class="my-4">No messages in {{ box.toLowerCase() }}</p>
        <v-list><v-list-item v-for="m in here" :key="m.id" :title="m.subject" :subtitle="m.from" @click="sel = m; m.unread = false"><template #append><v-chip v-if="m.unread" size="small" color="primary" class="mr-2">New</v-chip><v-btn v-if="m.box === 'Inbox'" size="small" @click.stop="m.box = 'Archive'; sel = null">Archive</v-btn></template></v-list-item></v-list>
        <v-card v-if="sel" class="mt-4" :title="sel.subject" :subtitle="'From ' + sel.from" text="Dear tenant, please see the attached file."></v-card></v-container></v-main>`,
  },
  'hotel-rating': {
    data: () => ({ ready: false, stars: 0, budget: 80, view: null, hotels: [['Seehof', 4.5, 120], ['Gasthaus Linde', 3, 75], ['Hostel Nord', 3.5, 40], ['Kurhotel Bad', 5, 210]] }),
    computed: { shown() { return this.hotels.filter((h) => h[2] <= this.budget); } },
    mounted() { setTimeout(() => { this.ready = true; }, 2000); },
    template: `<v-container style="max-width: 760px"><h1 class="text-h5">Hotels in Lindau</h1>
      <v-slider v-model="budget" label="Budget per night" min="20" max="240" step="10" thumb-label></v-slider>
      <p>Up to €{{ budget }}</p>
      <v-progress-linear v-if="!ready" indeterminate></v-progress-linear>
      <v-skeleton-loader v-if="!ready" type="list-item-two-line, list-item-two-line"></v-skeleton-loader>
      <template v-else><p>{{ shown.length }} of {{ hotels.length }} hotels fit your budget</p>
        <v-card v-for="[n, r, p] in shown" :key="n" class="mb-2"><v-card-text class="d-flex align-center"><b>{{ n }}</b><v-rating class="ml-3" :model-value="r" readonly half-increments density="compact" size="small"></v-rating><v-spacer></v-spacer>€{{ p }}
          <v-tooltip text="Breakfast is not included"><template #activator="{ props }"><v-btn v-bind="props" size="small" variant="text" class="ml-2">Details</v-btn></template></v-tooltip></v-card-text></v-card></template>
      <p class="mt-4">Rate your last stay at Hotel Krone</p><v-rating v-model="stars" hover item-aria-label="Rate {0} of {1}"></v-rating>
      <p>{{ stars ? 'Your rating: ' + stars + ' of 5' : 'You have not rated this hotel' }}</p>
      <v-chip-group v-model="view" selected-class="text-primary"><v-chip filter value="list">List</v-chip><v-chip filter value="map">Map</v-chip><v-chip filter value="cal" disabled>Calendar</v-chip></v-chip-group></v-container>`,
  },
};

const name = document.body.dataset.screen;
const vuetify = createVuetify({
  components: {
    VAlert, VApp, VAppBar, VAppBarTitle, VAutocomplete, VBadge, VBtn, VCard, VCardActions, VCardText, VCardTitle, VCheckbox, VChip,
    VChipGroup, VCombobox, VContainer, VDataTable, VDatePicker, VDialog, VExpansionPanel, VExpansionPanelText, VExpansionPanelTitle,
    VExpansionPanels, VForm, VIcon, VList, VListItem, VListItemSubtitle, VListItemTitle, VMain, VMenu, VNavigationDrawer, VPagination,
    VProgressLinear, VRadio, VRadioGroup, VRating, VSelect, VSkeletonLoader, VSlider, VSnackbar, VSpacer, VSwitch, VTab, VTabs,
    VTabsWindow, VTabsWindowItem, VTextField, VTextarea, VTooltip,
  },
  icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
});
const template = name === 'mail-drawer' ? '<v-app><screen /></v-app>' : '<v-app><v-main><screen /></v-main></v-app>';
createApp({ template, components: { screen: screens[name] } }).use(vuetify).mount('#root');
