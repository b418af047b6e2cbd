//! Shapes.

#![no_std]
#![allow(dead_code)]

/// A shape.
pub struct Shape;
