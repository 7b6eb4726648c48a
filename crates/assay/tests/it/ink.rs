//! Letters that are there and cannot be told from what is behind them, and those that look so and can.

use crate::visibility::check_on_every_engine;

const PICTURE: &str = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

#[test]
fn letters_in_the_colour_of_their_background_are_not_seen() {
    const BEHIND: &str = "position:absolute;inset:0;width:300px;height:30px";
    let page = format!(
        "<!doctype html><title>Ink</title><style>.dark{{position:relative;isolation:isolate;color:#fff}}\
         .dark::before{{content:'';position:absolute;inset:0;background:#000;z-index:-1}}</style>\
         <p style=color:#fff>lost white</p><p style=color:#fefefe>lost nearly white</p>\
         <p style=color:#eee>seen light</p><p style=color:#000;background:#000>lost black</p>\
         <p style=color:#fff;background:#000>seen white on black</p>\
         <p>seen words <span style=color:#fff>lost words</span></p>\
         <p>seen beside it <span style=background:#000>lost under a bar</span></p>\
         <div style=background:rgba(0,0,0,.02)><p style=color:#fafafa>lost on a veil</p></div>\
         <div style=background:rgba(0,0,0,.9)><p style=color:#fff>seen on a veil</p></div>\
         <p style=color:rgba(0,0,0,.01)>lost thin</p><p style=color:rgba(0,0,0,.3)>seen thin</p>\
         <div style=opacity:.2><p style=color:rgba(0,0,0,.2)>lost thin and faint</p></div>\
         <p style='color:#fff;text-shadow:0 0 2px #000'>seen by its shadow</p>\
         <p style='color:#fff;-webkit-text-stroke:1px #000'>seen by its edge</p>\
         <p style='color:#fff;background:linear-gradient(#000,#333)'>seen on a gradient</p>\
         <div style=position:relative;height:30px><div style='{BEHIND};background:#000'></div>\
         <div style=position:relative;color:#fff>seen over a box</div></div>\
         <div style=position:relative;height:30px><img style='{BEHIND}' src='{PICTURE}'>\
         <div style=position:relative;color:#fff>seen over a picture</div></div>\
         <div class=dark>seen over what a style sheet puts in</div>\
         <section style=background:#000><div style=background:#fff;position:relative;width:40px;height:30px>\
         <span style='position:absolute;left:60px;color:#fff;white-space:nowrap'>seen outside of its box</span></div></section>\
         <svg width=200 height=30 style=color:#fff><rect width=200 height=30 fill=#fff /><text y=20>seen in a drawing</text></svg>",
    );
    check_on_every_engine(Box::leak(page.into_boxed_str()));
}

#[test]
fn what_filters_and_masks_take_away_is_not_seen() {
    check_on_every_engine(
        "<!doctype html><title>Filters</title><style>\
         .none{-webkit-mask-image:linear-gradient(transparent,transparent);mask-image:linear-gradient(transparent,transparent)}\
         .half{-webkit-mask-image:linear-gradient(#000,transparent);mask-image:linear-gradient(#000,transparent)}</style>\
         <p style=filter:opacity(0)>lost by a filter</p><p style=filter:opacity(.5)>seen through a filter</p>\
         <p style='filter:blur(1px) opacity(0%)'>lost by two filters</p><p style=filter:blur(1px)>seen blurred</p>\
         <div style=filter:opacity(0)><p>lost in a filter</p></div><div style=filter:grayscale(1)><p>seen in grey</p></div>\
         <p class=none>lost by a mask</p><p class=half>seen by a mask</p><div class=none><b>lost in a mask</b></div>\
         <p>seen before <span style=filter:opacity(0)>lost between</span> <i>seen behind</i></p>\
         <p style=opacity:0>lost without opacity</p><p style=opacity:.5>seen with opacity</p>\
         <p style=text-indent:-9999px>lost by its indent</p><p style=text-indent:2em>seen with an indent</p>\
         <p style=font-size:0>lost by its size</p><p style=font-size:9px>seen small</p>\
         <p style=color:transparent>lost without colour</p>\
         <p style='color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text'>seen through its letters</p>\
         <div style='position:absolute;clip:rect(0,0,0,0)'>lost by a clip</div><p>seen at the end</p>",
    );
}
