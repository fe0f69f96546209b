//! SVG as PNG. Characters in this project's pictures are outlines, so no font is looked for.
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Why there is no PNG.
#[derive(Debug, Error)]
pub enum PngError {
    /// Not SVG.
    #[error("not an SVG document: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// No room for its pixels.
    #[error("a picture of {0} × {1} pixels is too large")]
    TooLarge(u32, u32),
    /// What the encoder says.
    #[error("cannot be encoded as PNG: {0}")]
    Encoding(String),
}

/// An SVG document in the size that it asks for.
///
/// # Errors
/// Not SVG, or too large.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::TooLarge(width, height))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
