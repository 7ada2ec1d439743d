"""Writes sheets as a PDF of vectors, true to size.

Equal sheets give equal bytes.
"""

import io
from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from calibration.sheets.sheet_shapes import MM_PER_PT, Circle, Line, Pattern, Shape, Sheet, Symbol, Words


def pdf_bytes(sheets: Sequence[Sheet], title: str) -> bytes:
    """Write sheets as a PDF file, which asks viewers to print unscaled and single-sided."""
    out = io.BytesIO()
    # invariant leaves out date and random id, so files of equal sheets are equal.
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("companion")
    canvas.setCreator("companion sheets")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", "Simplex")
    for sheet in sheets:
        canvas.setPageSize((sheet.w / MM_PER_PT, sheet.h / MM_PER_PT))
        for shape in sheet.shapes:
            _draw(canvas, shape, sheet.h)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, shape: Shape, h: float) -> None:
    """Draw a shape on a sheet `h` mm high; PDF counts in points from the lower left."""
    match shape:
        case Line(x0, y0, x1, y1, width, grey, dashed):
            canvas.setStrokeGray(grey)
            canvas.setLineWidth(width / MM_PER_PT)
            canvas.setDash([2 / MM_PER_PT, 1.5 / MM_PER_PT] if dashed else [])
            canvas.line(x0 / MM_PER_PT, (h - y0) / MM_PER_PT, x1 / MM_PER_PT, (h - y1) / MM_PER_PT)
        case Circle(x, y, radius, width):
            canvas.setStrokeGray(0)
            canvas.setLineWidth(width / MM_PER_PT)
            canvas.setDash([])
            canvas.circle(x / MM_PER_PT, (h - y) / MM_PER_PT, radius / MM_PER_PT)
        case Words(_, x, y, size, _, grey):
            canvas.setFillGray(grey)
            canvas.setFont(shape.font, size)
            canvas.drawString(x / MM_PER_PT, (h - y) / MM_PER_PT, shape.drawn)
        case Symbol() | Pattern():
            canvas.setFillGray(0)
            # One path for all modules, because viewers show white hairlines between separate ones.
            path = canvas.beginPath()
            for left, top, width, height in shape.runs():
                bottom = (h - top - height) / MM_PER_PT
                path.rect(left / MM_PER_PT, bottom, width / MM_PER_PT, height / MM_PER_PT)
            canvas.drawPath(path, stroke=0, fill=1)
