package dev.bellows.site;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/** A text in Markdown: its title, its HTML and the words that a search finds. */
final class Markdown {
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  private final Node document;

  Markdown(String text) {
    this.document = PARSER.parse(text);
  }

  /** Returns the first heading, without marks; the other name if there is none. */
  String title(String otherwise) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        return words(node);
      }
    }
    return otherwise;
  }

  /** Returns the HTML; each link and image leads to what the operator makes of its destination. */
  String html(UnaryOperator<String> destination) {
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            link.setDestination(destination.apply(link.getDestination()));
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            image.setDestination(destination.apply(image.getDestination()));
            visitChildren(image);
          }
        });
    return HtmlRenderer.builder()
        .extensions(List.of(TablesExtension.create()))
        .attributeProviderFactory(context -> new Anchors())
        .build()
        .render(document);
  }

  /** Returns all words, for the search. */
  String words() {
    return words(document);
  }

  /** Returns the anchor of a heading, as the usual readers of Markdown make it. */
  static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static String words(Node node) {
    StringBuilder words = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            words.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            words.append(code.getLiteral());
          }

          @Override
          public void visit(FencedCodeBlock code) {
            words.append(' ').append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak end) {
            words.append(' ');
          }

          @Override
          protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            if (parent instanceof org.commonmark.node.Block) {
              words.append(' ');
            }
          }
        });
    return words.toString().strip().replaceAll("\\s+", " ");
  }

  /** Anchors of headings; the second of a name has a number. */
  private static final class Anchors implements AttributeProvider {
    private final Map<String, Integer> seen = new HashMap<>();

    @Override
    public void setAttributes(Node node, String tag, Map<String, String> attributes) {
      if (node instanceof Heading heading) {
        String anchor = anchor(words(heading));
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        attributes.put("id", before == 0 ? anchor : anchor + "-" + before);
      }
    }
  }
}
