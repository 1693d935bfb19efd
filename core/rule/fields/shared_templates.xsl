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

       Where there is a literal `after` or `before`, what stands between them
       instead of words. The parameters of a literal are for `find`, and
       "optional" for one that may be missing.

       Attributes come after their element and before its children. Processors
       should put nodes into document order unasked, but libxml2 (2.9.14) puts a
       text before the descendants of its preceding sibling where elements and
       texts are mixed. -->
  <xsl:template name="values">
    <xsl:param name="nodes"/>
    <xsl:param name="first" select="0"/>
    <xsl:param name="last" select="0"/>
    <xsl:param name="after"/>
    <xsl:param name="after-edges"/>
    <xsl:param name="after-which"/>
    <xsl:param name="before"/>
    <xsl:param name="before-edges"/>
    <xsl:param name="before-which"/>
    <xsl:variable name="lines">
      <xsl:for-each select="$nodes">
        <xsl:sort data-type="number"
          select="count(preceding::node()) + count(ancestor::node()) - 0.5 * (count(. | ../@*) = count(../@*))"/>
        <xsl:variable name="text">
          <xsl:apply-templates select="." mode="value"/>
        </xsl:variable>
        <xsl:value-of select="concat('&#10;', position(), '&#9;')"/>
        <xsl:variable name="normalized"
          select="normalize-space(translate($text, '&#160;', ' '))"/>
        <xsl:choose>
          <xsl:when test="$after != '' or $before != ''">
            <xsl:call-template name="between">
              <xsl:with-param name="text" select="$normalized"/>
              <xsl:with-param name="after" select="$after"/>
              <xsl:with-param name="after-edges" select="$after-edges"/>
              <xsl:with-param name="after-which" select="$after-which"/>
              <xsl:with-param name="before" select="$before"/>
              <xsl:with-param name="before-edges" select="$before-edges"/>
              <xsl:with-param name="before-which" select="$before-which"/>
            </xsl:call-template>
          </xsl:when>
          <xsl:otherwise>
            <xsl:call-template name="words">
              <xsl:with-param name="text" select="$normalized"/>
              <xsl:with-param name="first" select="$first"/>
              <xsl:with-param name="last" select="$last"/>
            </xsl:call-template>
          </xsl:otherwise>
        </xsl:choose>
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
      <xsl:variable name="lines-before"
        select="concat(substring-before($all, $start), '&#10;')"/>
      <!-- A value of white space only, as IsBlankValue() has it, is none. -->
      <xsl:if test="translate($value, ' &#133;&#160;&#5760;&#6158;&#8192;&#8193;&#8194;&#8195;&#8196;&#8197;&#8198;&#8199;&#8200;&#8201;&#8202;&#8203;&#8204;&#8205;&#8232;&#8233;&#8239;&#8287;&#8288;&#12288;&#65279;', '') != '' and
          not(contains($lines-before, concat('&#9;', $value, '&#10;')))">
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

  <!-- What stands behind `after` and in front of the next `before`. -->
  <xsl:template name="between">
    <xsl:param name="text"/>
    <xsl:param name="after"/>
    <xsl:param name="after-edges"/>
    <xsl:param name="after-which"/>
    <xsl:param name="before"/>
    <xsl:param name="before-edges"/>
    <xsl:param name="before-which"/>
    <xsl:variable name="kinds"
      select="translate($text, $marks-and-digits, $marks-and-digits-as-kinds)"/>
    <xsl:variable name="length" select="string-length($text)"/>
    <xsl:variable name="after-place">
      <xsl:if test="$after != ''">
        <xsl:call-template name="find">
          <xsl:with-param name="text" select="$text"/>
          <xsl:with-param name="kinds" select="$kinds"/>
          <xsl:with-param name="literal" select="$after"/>
          <xsl:with-param name="edges" select="$after-edges"/>
          <xsl:with-param name="which" select="$after-which"/>
          <xsl:with-param name="from" select="1"/>
          <xsl:with-param name="to" select="$length"/>
        </xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="has-after" select="$after-place != ''"/>
    <xsl:if test="$after = '' or $has-after or contains($after-which, 'optional')">
      <xsl:variable name="behind">
        <xsl:choose>
          <xsl:when test="$has-after">
            <xsl:value-of select="$after-place + string-length($after)"/>
          </xsl:when>
          <xsl:otherwise>1</xsl:otherwise>
        </xsl:choose>
      </xsl:variable>
      <xsl:variable name="begin"
        select="$behind + (substring($text, $behind, 1) = ' ')"/>
      <xsl:variable name="before-place">
        <xsl:if test="$before != ''">
          <xsl:call-template name="find">
            <xsl:with-param name="text" select="$text"/>
            <xsl:with-param name="kinds" select="$kinds"/>
            <xsl:with-param name="literal" select="$before"/>
            <xsl:with-param name="edges" select="$before-edges"/>
            <xsl:with-param name="which" select="$before-which"/>
            <xsl:with-param name="from" select="$begin"/>
            <xsl:with-param name="to" select="$length"/>
          </xsl:call-template>
        </xsl:if>
      </xsl:variable>
      <xsl:choose>
        <xsl:when test="$before-place != ''">
          <xsl:value-of select="normalize-space(substring($text, $begin,
              $before-place - $begin))"/>
        </xsl:when>
        <xsl:when test="$before = '' or contains($before-which, 'optional')">
          <xsl:value-of select="normalize-space(substring($text, $begin))"/>
        </xsl:when>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <!-- The place of the first (with `which` of "last" the last) occurrence of a
       literal that begins at a place from..to and neither begins nor ends inside
       of a word or a number; nothing where there is none. The kinds of the
       text's characters are 0 for digits, _ for marks; '.', ',' and ' ' stand
       for themselves, and all others are letters. The edges are the kinds of the
       literal's first and last character: a for letters, 0, '.' for both points,
       and - where the literal may begin or end anywhere. -->
  <xsl:template name="find">
    <xsl:param name="text"/>
    <xsl:param name="kinds"/>
    <xsl:param name="literal"/>
    <xsl:param name="edges"/>
    <xsl:param name="which"/>
    <xsl:param name="from"/>
    <xsl:param name="to"/>
    <xsl:variable name="length" select="string-length($literal)"/>
    <xsl:choose>
      <xsl:when test="not(contains(substring($text, $from, $to - $from + $length), $literal))"/>
      <xsl:when test="$from = $to">
        <xsl:variable name="first" select="substring($edges, 1, 1)"/>
        <xsl:variable name="last" select="substring($edges, 2, 1)"/>
        <xsl:variable name="left" select="substring($kinds, $from - 1, 1)"/>
        <xsl:variable name="left2" select="substring($kinds, $from - 2, 1)"/>
        <xsl:variable name="end" select="$from + $length"/>
        <xsl:variable name="right" select="substring($kinds, $end, 1)"/>
        <xsl:variable name="right2" select="substring($kinds, $end + 1, 1)"/>
        <xsl:if test="not(
            ($first = 'a' and not(contains('0_., ', $left))) or
            ($first = '0' and ($left = '0' or
                (($left = '.' or $left = ',') and $left2 = '0'))) or
            ($first = '.' and $left = '0' and substring($kinds, $from + 1, 1) = '0') or
            ($last = 'a' and not(contains('0_., ', $right))) or
            ($last = '0' and ($right = '0' or
                (($right = '.' or $right = ',') and $right2 = '0'))) or
            ($last = '.' and $right = '0' and substring($kinds, $end - 2, 1) = '0'))">
          <xsl:value-of select="$from"/>
        </xsl:if>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="middle" select="floor(($from + $to) div 2)"/>
        <xsl:variable name="is-last" select="contains($which, 'last')"/>
        <xsl:variable name="wanted">
          <xsl:call-template name="find">
            <xsl:with-param name="text" select="$text"/>
            <xsl:with-param name="kinds" select="$kinds"/>
            <xsl:with-param name="literal" select="$literal"/>
            <xsl:with-param name="edges" select="$edges"/>
            <xsl:with-param name="which" select="$which"/>
            <xsl:with-param name="from" select="$from + $is-last * ($middle + 1 - $from)"/>
            <xsl:with-param name="to" select="$middle + $is-last * ($to - $middle)"/>
          </xsl:call-template>
        </xsl:variable>
        <xsl:value-of select="$wanted"/>
        <xsl:if test="$wanted = ''">
          <xsl:call-template name="find">
            <xsl:with-param name="text" select="$text"/>
            <xsl:with-param name="kinds" select="$kinds"/>
            <xsl:with-param name="literal" select="$literal"/>
            <xsl:with-param name="edges" select="$edges"/>
            <xsl:with-param name="which" select="$which"/>
            <xsl:with-param name="from" select="$from + not($is-last) * ($middle + 1 - $from)"/>
            <xsl:with-param name="to" select="$middle + not($is-last) * ($to - $middle)"/>
          </xsl:call-template>
        </xsl:if>
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
