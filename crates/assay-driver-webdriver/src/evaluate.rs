//! Expressions of the user, in the page's own world.

use assay_driver::{DriverError, Evaluation};
use serde_json::{Value, json};

use crate::exchange::{Exchange, Halt};
use crate::protocol::{Code, Trouble};

/// What the value is, as text: JSON where JSON can hold it.
const DESCRIBE: &str = "
const describe = (value) => {
  if (value === undefined) return { described: 'undefined' };
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return { described: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { described: String(value) };
  try {
    return { value: JSON.stringify(value) };
  } catch {
    return { described: Object.prototype.toString.call(value) };
  }
};
const failed = (error) => ({ threw: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
";

pub(crate) async fn evaluate(exchange: &mut Exchange, expression: &str) -> Result<Evaluation, Halt> {
    // In brackets, so that an object is one; over a line of its own, so that a comment ends.
    let as_expression = format!(
        "{DESCRIBE} return (async () => {{ try {{ return describe(await (\n{expression}\n)); }} catch (error) {{ return failed(error); }} }})();"
    );
    let value = match exchange.try_script(&as_expression, json!([])).await? {
        Ok(value) => value,
        // Statements: only `eval` knows what they come to.
        Err(Trouble::Refused { code: Code::JavaScript, .. }) => {
            let as_statements = format!(
                "{DESCRIBE} return (async (text) => {{ try {{ return describe(await (0, eval)(text)); }} catch (error) {{ return failed(error); }} }})(arguments[0]);"
            );
            exchange.script(&as_statements, json!([expression])).await?
        }
        Err(trouble) => return Err(exchange.halt("/execute/sync", trouble).await),
    };
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_string);
    if let Some(message) = text("threw") {
        return Ok(Evaluation::Threw(message));
    }
    if let Some(words) = text("described") {
        return Ok(Evaluation::Described(words));
    }
    match text("value").map(|json| serde_json::from_str(&json)) {
        Some(Ok(value)) => Ok(Evaluation::Value(value)),
        Some(Err(err)) => Err(DriverError::Script { message: err.to_string() }.into()),
        // The script was let go of: a dialog opened, or the page went. Either is told by the next look.
        None => Ok(Evaluation::Described("undefined".to_string())),
    }
}
