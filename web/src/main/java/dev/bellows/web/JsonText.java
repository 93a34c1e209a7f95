package dev.bellows.web;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps, lists, texts and numbers as JSON; null for a number that is not finite. */
final class JsonText {
  private final StringBuilder text = new StringBuilder();

  private JsonText() {}

  static String of(@Nullable Object value) {
    JsonText json = new JsonText();
    json.add(value);
    return json.text.toString();
  }

  private void add(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        text.append(before);
        quote(String.valueOf(entry.getKey()));
        text.append(':');
        add(entry.getValue());
        before = ',';
      }
      text.append(before == '{' ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      char before = '[';
      for (Object element : list) {
        text.append(before);
        add(element);
        before = ',';
      }
      text.append(before == '[' ? "[]" : "]");
    } else if (value instanceof double[] numbers) {
      char before = '[';
      for (double number : numbers) {
        text.append(before);
        add(number);
        before = ',';
      }
      text.append(before == '[' ? "[]" : "]");
    } else if (value instanceof String string) {
      quote(string);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      text.append("null");
    } else {
      text.append(value);
    }
  }

  private void quote(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c == '<' || c > '~') {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(Character.forDigit(c >> shift & 15, 16));
        }
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
