// Creates an element with its properties, attributes and children. Texts are never parsed as HTML.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("--")) made.style.setProperty(key, value);
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const find = (id) => document.getElementById(id);
