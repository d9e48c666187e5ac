import org.jspecify.annotations.NullMarked;

/// Floor 3: XML as a stream of events, however its bytes arrive.
///
/// ```java
/// new XmlDecoder().decode(in, event -> {
///     switch (event) {
///         case XmlEvent.StartElement start -> System.out.println(start.name().local());
///         case XmlEvent.Text text -> System.out.println(text.text());
///         default -> {}
///     }
/// });
/// ```
///
/// Document types are refused, so there are no entities but the five of XML itself, and nothing
/// external is ever read.
@NullMarked
module io.weft.codec.xml {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.xml;
}
