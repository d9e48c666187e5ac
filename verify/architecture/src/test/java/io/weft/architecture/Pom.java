package io.weft.architecture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// The `pom.xml` of a directory, which is relative to the root.
record Pom(String directory, Element root) {
    static Pom of(String directory) {
        return new Pom(directory, House.pom(House.ROOT.resolve(directory)));
    }

    /// The texts of elements at a path of names from the root of the file.
    List<String> texts(String... path) {
        return elements(path).stream().map(e -> e.getTextContent().strip()).toList();
    }

    /// The same for an element below others.
    List<String> below(String[] path, String name) {
        String[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = name;
        return texts(longer);
    }

    private List<Element> elements(String... path) {
        List<Element> found = List.of(root);
        for (String name : path) {
            List<Element> next = new ArrayList<>();
            for (Element parent : found) {
                for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
                    if (n instanceof Element e && n.getNodeName().equals(name)) {
                        next.add(e);
                    }
                }
            }
            found = next;
        }
        return found;
    }

    String artifactId() {
        return texts("artifactId").getFirst();
    }

    /// Requires at run time what is not of this project.
    boolean needsALibrary() {
        return elements("dependencies", "dependency").stream()
                .map(Element::getTextContent)
                .anyMatch(text -> !text.contains("io.weft") && !text.contains("test\n"));
    }

    @Override
    public String toString() {
        return directory;
    }
}
