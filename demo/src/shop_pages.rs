//! The pages of the chandlery: products, cart, checkout and order.

use assay_testkit::{Params, Request, Response, json_string, percent_encode};

use crate::app::refuse;
use crate::page::{self, escape_early, framed};
use crate::shop::{CATEGORIES, Checkout, Product, delivery_words, listed, money, product};
use crate::state::Workspace;

const COUNTRIES: &[&str] = &["Germany", "Netherlands", "Norway", "Portugal"];
const COUPON: &str = "HARBOR10";

pub fn serves(path: &str) -> bool {
    matches!(path, "/shop" | "/shop/product" | "/cart" | "/checkout" | "/order")
        || path.starts_with("/api/cart/")
}

pub fn answer(request: &Request, user: Option<&str>, workspace: &mut Workspace) -> Response {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/shop") => shop(request, user, workspace),
        ("GET", "/shop/product") => one_product(request, user, workspace),
        ("GET", "/cart") => cart(user, workspace),
        ("GET", "/checkout") if workspace.cart.lines.is_empty() => Response::redirect("/cart"),
        ("GET", "/checkout") => Response::html(checkout(&Checkout::default(), &[], user, workspace)),
        ("POST", "/checkout") => place_order(request, user, workspace),
        ("GET", "/order") => order(request, user, workspace),
        ("POST", path) => change_cart(path, &request.form(), workspace),
        _ => refuse(405, "Not possible."),
    }
}

fn shop(request: &Request, user: Option<&str>, workspace: &Workspace) -> Response {
    let text = |name| request.param(name).unwrap_or_default();
    let (query, category, sort) = (text("q"), text("category"), text("sort"));
    let found = listed(query, category, sort);
    let sorts: String =
        [("name", "Name"), ("price-up", "Price: low to high"), ("price-down", "Price: high to low")]
            .iter()
            .map(|(value, label)| {
                let selected = if *value == sort { " selected" } else { "" };
                format!("<option value=\"{value}\"{selected}>{label}</option>")
            })
            .collect();
    let count = match found.len() {
        0 => format!("No products match \"{query}\"."),
        1 => "1 product".to_owned(),
        count => format!("{count} products"),
    };
    let categories: String = [("", "All products")]
        .into_iter()
        .chain(CATEGORIES.iter().map(|name| (*name, *name)))
        .map(|(value, label)| {
            let mark = if value == category { " aria-current=\"true\"" } else { "" };
            let address = percent_encode(value);
            format!("<a href=\"/shop?category={address}\"{mark}>{label}</a>")
        })
        .collect();
    let content = include_str!("../site/shop.html")
        .replace("{{sorts}}", &sorts)
        .replace("{{categories}}", &categories)
        .replace("{{count}}", &escape_early(&count))
        .replace("{{products}}", &found.into_iter().map(card).collect::<String>())
        .replace("{{category}}", &escape_early(category))
        .replace("{{query}}", &escape_early(query));
    Response::html(framed("Shop", &content, "shop", user, workspace))
}

fn card(product: &Product) -> String {
    let Product { id, name, category, cents, stock, .. } = product;
    let button = match stock {
        0 => format!("<button class=\"plain\" type=\"button\" data-id=\"{id}\" disabled>Sold out</button>"),
        _ => format!("<button class=\"primary\" type=\"button\" data-id=\"{id}\">Add to cart</button>"),
    };
    format!(
        "<article class=\"card product\" role=\"listitem\" aria-label=\"{name}\">\
         <h2><a href=\"/shop/product?id={id}\">{name}</a></h2><p class=\"quiet\">{category}</p>\
         <p class=\"price\">{}</p>{button}</article>",
        money(*cents)
    )
}

fn one_product(request: &Request, user: Option<&str>, workspace: &Workspace) -> Response {
    let id = request.param("id").and_then(|id| id.parse().ok());
    let Some(product) = id.and_then(product) else {
        return Response::html(page::not_found()).with_status(404);
    };
    let content = include_str!("../site/product.html")
        .replace("{{name}}", product.name)
        .replace("{{price}}", &money(product.cents))
        .replace("{{about}}", product.about)
        .replace("{{category}}", product.category)
        .replace("{{stock}}", &product.stock.to_string())
        .replace("{{id}}", &product.id.to_string());
    Response::html(framed(product.name, &content, "shop", user, workspace))
}

fn cart(user: Option<&str>, workspace: &Workspace) -> Response {
    let rows: String = workspace
        .cart
        .lines
        .iter()
        .filter_map(|(id, quantity)| product(*id).map(|product| (product, quantity)))
        .map(|(Product { id, name, cents, .. }, quantity)| {
            format!(
                "<tr data-id=\"{id}\"><td>{name}</td><td>{}</td>\
                 <td><input type=\"number\" min=\"0\" value=\"{quantity}\" aria-label=\"Quantity of {name}\"></td>\
                 <td class=\"line-total\">{}</td>\
                 <td><button type=\"button\" class=\"plain\">Remove</button></td></tr>",
                money(*cents),
                money(cents * u64::from(*quantity))
            )
        })
        .collect();
    let body = match rows.is_empty() {
        true => "<p>Your cart is empty.</p><p><a href=\"/shop\">Continue shopping</a></p>".to_owned(),
        false => include_str!("../site/cart-table.html")
            .replace("{{rows}}", &rows)
            .replace("{{total}}", &money(workspace.cart.total())),
    };
    let content = include_str!("../site/cart.html").replace("{{cart-body}}", &body);
    Response::html(framed("Cart", &content, "cart", user, workspace))
}

fn change_cart(path: &str, form: &Params, workspace: &mut Workspace) -> Response {
    let cart = &mut workspace.cart;
    let number = |name| form.get(name).and_then(|value| value.parse::<u32>().ok());
    let id = number("product").unwrap_or(0);
    let changed = match path {
        "/api/cart/add" => match number("quantity") {
            Some(quantity) if quantity > 0 => cart.add(id, quantity),
            _ => return refuse(200, "Enter a quantity of at least 1."),
        },
        "/api/cart/set" => cart.set(id, number("quantity").unwrap_or(0)),
        "/api/cart/coupon" => {
            let code = form.get("code").unwrap_or_default().trim();
            if !code.eq_ignore_ascii_case(COUPON) {
                return refuse(200, "This coupon is not known.");
            }
            cart.coupon = Some(COUPON.to_owned());
            let total = json_string(&money(cart.total()));
            return Response::json(format!("{{\"message\":\"10 % discount applied\",\"total\":{total}}}"));
        }
        _ => return refuse(405, "Not possible."),
    };
    match changed {
        Ok(product) => {
            let quantity =
                cart.lines.iter().find(|(known, _)| *known == id).map_or(0, |(_, quantity)| *quantity);
            Response::json(format!(
                "{{\"name\":{},\"count\":{},\"line\":{},\"total\":{}}}",
                json_string(product.name),
                cart.count(),
                json_string(&money(product.cents * u64::from(quantity))),
                json_string(&money(cart.total()))
            ))
        }
        Err(sentence) => refuse(200, &sentence),
    }
}

fn checkout(form: &Checkout, mistakes: &[(&str, &str)], user: Option<&str>, workspace: &Workspace) -> String {
    let list: String = mistakes.iter().map(|(_, sentence)| format!("<li>{sentence}</li>")).collect();
    let notice = match mistakes.is_empty() {
        true => String::new(),
        false => format!("<div class=\"notice bad\" role=\"alert\"><ul>{list}</ul></div>"),
    };
    let countries: String = [("", "Choose…")]
        .into_iter()
        .chain(COUNTRIES.iter().map(|name| (*name, *name)))
        .map(|(value, label)| {
            let selected = if value == form.country { " selected" } else { "" };
            format!("<option value=\"{value}\"{selected}>{label}</option>")
        })
        .collect();
    let checked = |holds: bool| if holds { " checked" } else { "" };
    let count = match workspace.cart.count() {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    };
    let mut content = include_str!("../site/checkout.html")
        .replace("{{mistakes}}", &notice)
        .replace("{{countries}}", &countries)
        .replace("{{standard}}", checked(!form.express))
        .replace("{{express}}", checked(form.express))
        .replace("{{terms}}", checked(form.terms))
        .replace("{{count}}", &count)
        .replace("{{total}}", &money(workspace.cart.total()));
    for field in ["name", "email", "street", "postcode", "country", "terms"] {
        let invalid = mistakes.iter().any(|(wrong, _)| *wrong == field);
        content = content
            .replace(&format!("{{{{i-{field}}}}}"), if invalid { " aria-invalid=\"true\"" } else { "" });
    }
    for (field, value) in
        [("name", &form.name), ("email", &form.email), ("street", &form.street), ("postcode", &form.postcode)]
    {
        content = content.replace(&format!("{{{{v-{field}}}}}"), &escape_early(value));
    }
    framed("Checkout", &content, "cart", user, workspace)
}

fn place_order(request: &Request, user: Option<&str>, workspace: &mut Workspace) -> Response {
    if workspace.cart.lines.is_empty() {
        return Response::redirect("/cart");
    }
    let fields = request.form();
    let text = |name| fields.get(name).unwrap_or_default().trim().chars().take(200).collect::<String>();
    let form = Checkout {
        name: text("name"),
        email: text("email"),
        street: text("street"),
        postcode: text("postcode"),
        country: text("country"),
        express: fields.get("delivery") == Some("express"),
        terms: fields.get("terms").is_some(),
    };
    let mistakes = form.mistakes();
    if !mistakes.is_empty() {
        return Response::html(checkout(&form, &mistakes, user, workspace));
    }
    let order = form.order(&workspace.cart, workspace.orders.len() + 1);
    let address = format!("/order?number={}", order.number);
    workspace.orders.push(order);
    workspace.cart = Default::default();
    Response::redirect(&address)
}

fn order(request: &Request, user: Option<&str>, workspace: &Workspace) -> Response {
    let number = request.param("number").unwrap_or_default();
    let Some(order) = workspace.orders.iter().find(|order| order.number == number) else {
        return Response::html(page::not_found()).with_status(404);
    };
    let rows: String = order
        .lines
        .iter()
        .filter_map(|(id, quantity)| product(*id).map(|product| (product, quantity)))
        .map(|(product, quantity)| {
            let line = money(product.cents * u64::from(*quantity));
            format!("<tr><td>{}</td><td>{quantity}</td><td>{line}</td></tr>", product.name)
        })
        .collect();
    let content = include_str!("../site/order.html")
        .replace("{{rows}}", &rows)
        .replace("{{number}}", &order.number)
        .replace("{{delivery}}", &delivery_words(order.express))
        .replace("{{total}}", &money(order.total))
        .replace("{{order-name}}", &escape_early(&order.name))
        .replace("{{order-email}}", &escape_early(&order.email));
    Response::html(framed("Order confirmed", &content, "shop", user, workspace))
}
