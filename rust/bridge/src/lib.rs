//! The JNI border.
