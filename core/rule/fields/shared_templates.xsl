<?xml version="1.0" encoding="UTF-8"?>
<!-- The templates that every exported stylesheet has: html::VisibleText(),
     NormalizeSpace() and ApplyRange() in XSLT. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <!-- The different values of nodes, in document order, each as an element
       and a line feed. The words first to last, counted from 1 or, where
       negative, from the end; 0 for the whole text.

       XSLT 1.0 has no lists. The values of the nodes are lines of one string,
       each with its number; no value contains a line feed or a tab, since its
       white space is normalised. Recursion is by halves or along the page's
       depth, for xsltproc ends at 3,000 nested templates.

       Attributes come after their element and before its children. Processors
       should put nodes into document order unasked, but libxml2 (2.9.14) puts a
       text before the descendants of its preceding sibling where elements and
       texts are mixed. -->
  <xsl:template name="values">
    <xsl:param name="nodes"/>
    <xsl:param name="first" select="0"/>
    <xsl:param name="last" select="0"/>
    <xsl:variable name="lines">
      <xsl:for-each select="$nodes">
        <xsl:sort data-type="number"
          select="count(preceding::node()) + count(ancestor::node()) - 0.5 * (count(. | ../@*) = count(../@*))"/>
        <xsl:variable name="text">
          <xsl:apply-templates select="." mode="value"/>
        </xsl:variable>
        <xsl:value-of select="concat('&#10;', position(), '&#9;')"/>
        <xsl:call-template name="words">
          <xsl:with-param name="text"
            select="normalize-space(translate($text, '&#160;', ' '))"/>
          <xsl:with-param name="first" select="$first"/>
          <xsl:with-param name="last" select="$last"/>
        </xsl:call-template>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:variable>
    <xsl:variable name="all" select="string($lines)"/>
    <xsl:for-each select="$nodes">
      <xsl:sort data-type="number"
        select="count(preceding::node()) + count(ancestor::node()) - 0.5 * (count(. | ../@*) = count(../@*))"/>
      <xsl:variable name="start" select="concat('&#10;', position(), '&#9;')"/>
      <xsl:variable name="value"
        select="substring-before(substring-after($all, $start), '&#10;')"/>
      <xsl:variable name="before"
        select="concat(substring-before($all, $start), '&#10;')"/>
      <!-- A value of white space only, as IsBlankValue() has it, is none. -->
      <xsl:if test="translate($value, ' &#133;&#160;&#5760;&#6158;&#8192;&#8193;&#8194;&#8195;&#8196;&#8197;&#8198;&#8199;&#8200;&#8201;&#8202;&#8203;&#8204;&#8205;&#8232;&#8233;&#8239;&#8287;&#8288;&#12288;&#65279;', '') != '' and
          not(contains($before, concat('&#9;', $value, '&#10;')))">
        <value><xsl:value-of select="$value"/></value>
        <xsl:text>&#10;</xsl:text>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="words">
    <xsl:param name="text"/>
    <xsl:param name="first"/>
    <xsl:param name="last"/>
    <xsl:variable name="count"
      select="string-length($text) - string-length(translate($text, ' ', '')) + 1"/>
    <xsl:variable name="begin" select="$first + ($first &lt; 0) * ($count + 1)"/>
    <xsl:variable name="end" select="$last + ($last &lt; 0) * ($count + 1)"/>
    <xsl:choose>
      <xsl:when test="$first = 0"><xsl:value-of select="$text"/></xsl:when>
      <xsl:when test="$begin &gt;= 1 and $begin &lt;= $end and $end &lt;= $count">
        <xsl:variable name="tail">
          <xsl:call-template name="drop">
            <xsl:with-param name="text" select="$text"/>
            <xsl:with-param name="count" select="$begin - 1"/>
          </xsl:call-template>
        </xsl:variable>
        <xsl:variable name="rest">
          <xsl:call-template name="drop">
            <xsl:with-param name="text" select="string($tail)"/>
            <xsl:with-param name="count" select="$end - $begin + 1"/>
          </xsl:call-template>
        </xsl:variable>
        <xsl:value-of select="normalize-space(substring($tail, 1,
            string-length($tail) - string-length($rest)))"/>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- A text without its first words. -->
  <xsl:template name="drop">
    <xsl:param name="text"/>
    <xsl:param name="count"/>
    <xsl:choose>
      <xsl:when test="$count = 0"><xsl:value-of select="$text"/></xsl:when>
      <xsl:when test="$count = 1">
        <xsl:value-of select="substring-after($text, ' ')"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="half" select="floor($count div 2)"/>
        <xsl:variable name="tail">
          <xsl:call-template name="drop">
            <xsl:with-param name="text" select="$text"/>
            <xsl:with-param name="count" select="$half"/>
          </xsl:call-template>
        </xsl:variable>
        <xsl:call-template name="drop">
          <xsl:with-param name="text" select="string($tail)"/>
          <xsl:with-param name="count" select="$count - $half"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The text of a node as a reader sees it, white space not normalised. -->
  <xsl:template match="text() | @*" mode="value">
    <xsl:value-of select="."/>
  </xsl:template>
  <xsl:template match="comment() | processing-instruction()" mode="value"/>
  <!-- White space between elements is not in the XML of a page; the namespace
       "gaps" of an element has the positions of the children that it was
       before, after the depth of the element that it is about. -->
  <xsl:template match="/ | *" mode="value">
    <xsl:variable name="gaps" select="string(namespace::gaps[starts-with(.,
        concat('gaps:', count(ancestor-or-self::*), ':'))])"/>
    <xsl:for-each select="node()">
      <xsl:if test="contains($gaps, concat('.', position(), '.'))">
        <xsl:text> </xsl:text>
      </xsl:if>
      <xsl:apply-templates select="." mode="inside"/>
    </xsl:for-each>
  </xsl:template>

  <!-- Blocks, cells and line breaks separate words. -->
  <xsl:template match="*" mode="inside">
    <xsl:text> </xsl:text>
    <xsl:apply-templates select="." mode="value"/>
    <xsl:text> </xsl:text>
  </xsl:template>
  <xsl:template match="text() | comment() | processing-instruction()" mode="inside">
    <xsl:apply-templates select="." mode="value"/>
  </xsl:template>
</xsl:stylesheet>
