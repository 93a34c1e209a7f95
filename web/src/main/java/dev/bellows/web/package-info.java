/**
 * The planners behind the planner page, compiled to JavaScript for the browser and run on the JVM
 * by tests.
 *
 * <pre>
 *   fields of a tab ---&gt; Page.answer(tab, inputs) ---&gt; JSON ---&gt; pictures, tables, code to copy
 *   (src/main/site)      SizeTab, FoldTab, GrowTab ...          (src/main/site)
 * </pre>
 *
 * <p>Start with {@link dev.bellows.web.Page}, the only public class: {@code answer} for the tabs,
 * {@code open}, {@code ask} and {@code fold} for filter files. Each tab is a class that reads its
 * {@code Inputs}, calls the plans of core and returns an {@code Answer}. Nothing here computes a
 * rate or draws: formulas are in core, drawing is in {@code src/main/site}. Classes that a browser
 * lacks are replaced by those of {@code dev.bellows.web.browser}.
 */
@NullMarked
package dev.bellows.web;

import org.jspecify.annotations.NullMarked;
