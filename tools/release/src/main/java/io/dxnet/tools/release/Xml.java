package io.dxnet.tools.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** An element of a POM or of a software bill of materials. */
final class Xml {
    private final Element element;

    private Xml(Element element) {
        this.element = element;
    }

    /** {@return the root element of a file} It may not refer to other files. */
    static Xml read(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new Xml(factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** {@return the children with a name, in order} */
    List<Xml> children(String name) {
        List<Xml> result = new ArrayList<>();
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element each && each.getTagName().equals(name)) {
                result.add(new Xml(each));
            }
        }
        return result;
    }

    /** {@return the descendants at the end of a path of names} */
    List<Xml> all(String... path) {
        List<Xml> result = List.of(this);
        for (String name : path) {
            result = result.stream()
                    .flatMap(each -> each.children(name).stream())
                    .toList();
        }
        return result;
    }

    boolean has(String name) {
        return !children(name).isEmpty();
    }

    /** {@return the text of the first child with a name, or nothing} */
    String text(String name) {
        List<Xml> children = children(name);
        return children.isEmpty()
                ? ""
                : children.getFirst().element.getTextContent().strip();
    }
}
