"""A small order desk: form, lists, dialog, toast, expander, errors, two pages. Everything is computed by the server."""
import time
import streamlit as st

st.set_page_config(page_title="Order desk")


@st.dialog("Cancel the order?")
def cancel():
    st.write("This cannot be undone.")
    if st.button("Yes, cancel"):
        st.session_state.cancelled = True
        st.rerun()


def desk():
    time.sleep(0.4)
    st.title("Order desk")
    if st.session_state.get("cancelled"):
        st.info("The order was cancelled")
    with st.form("order"):
        customer = st.text_input("Customer")
        pieces = st.number_input("Pieces", 1, 99, 3)
        if st.form_submit_button("Place order"):
            time.sleep(0.8)
            if customer:
                st.success(f"Order placed for {customer}: {pieces} pieces")
            else:
                st.error("The order has no customer")
    timber = st.selectbox("Timber", ["Oak", "Birch", "Larch"])
    st.write(f"{timber} costs {len(timber) * 10} euros")
    extras = st.multiselect("Extras", ["Planed", "Oiled", "Cut to length"])
    if extras:
        st.write("Extras: " + ", ".join(extras))
    if st.checkbox("Express"):
        time.sleep(0.5)
        st.write("Express costs 15 euros more")
    if st.button("Calculate", icon=":material/calculate:"):
        with st.spinner("Calculating…"):
            time.sleep(1.3)
        st.write("The saw plan needs 14 cuts")
    if st.button("Remind me"):
        time.sleep(0.4)
        st.toast("Reminder is set for Monday", icon=":material/alarm:")
    if st.button("Cancel order"):
        cancel()
    if st.button("Start the saw"):
        raise ValueError("the saw is broken")
    with st.expander("Details"):
        st.write("The yard is at pier 4")
    for name in ("Ada", "Grace"):
        left, right = st.columns(2)
        left.write(f"Offer for {name}")
        if right.button("Send", key=name):
            time.sleep(0.3)
            st.write(f"The offer went to {name}")


def reports():
    time.sleep(1.0)
    st.title("Reports")
    st.write("3 orders came in this week")
    st.table({"Timber": ["Oak", "Birch"], "Pieces": [3, 7]})


st.navigation([st.Page(desk, title="Desk", icon=":material/storefront:", default=True), st.Page(reports, title="Reports", icon=":material/bar_chart:")]).run()
