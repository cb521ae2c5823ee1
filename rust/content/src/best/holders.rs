//! The elements that hold text themselves.
//!
//! A page may have three elements for each block, and hostile pages do. What only the elements of
//! blocks need is therefore stored for these, and not for every element.

use crate::page::Node;
use crate::Page;

/// The nodes that blocks are in, in the order of the page's nodes.
pub(super) struct Holders {
    nodes: Vec<u32>,
    /// The holder of each block.
    of_blocks: Vec<u32>,
}

impl Holders {
    pub(super) fn of(page: &Page) -> Self {
        let mut nodes: Vec<u32> = page.blocks().iter().map(|block| block.node).collect();
        nodes.sort();
        nodes.dedup();
        nodes.shrink_to_fit();
        let holder = |node| nodes.partition_point(|other| *other < node) as u32;
        let of_blocks = page.blocks().iter().map(|block| holder(block.node)).collect();
        Self { nodes, of_blocks }
    }

    /// Number of holders.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The holder that a block is in.
    pub(super) fn of_block(&self, block: usize) -> usize {
        self.of_blocks[block] as usize
    }

    /// The node of each holder.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().map(|node| *node as usize)
    }

    /// Computes a value for each node from that of its parent, and returns the values of the
    /// holders. `below` gets the path from the root to the parent, and the node.
    ///
    /// Only the values of one path are stored: no node comes before its parent or within another
    /// element's nodes.
    pub(super) fn descend<T: Copy, H>(
        &self,
        nodes: &[Node],
        mut below: impl FnMut(&[T], usize) -> T,
        hold: impl Fn(&[T]) -> H,
    ) -> Vec<H> {
        let mut path: Vec<T> = Vec::new();
        let mut held = Vec::with_capacity(self.len());
        let mut holders = self.nodes().peekable();
        for (at, node) in nodes.iter().enumerate() {
            path.truncate(node.depth as usize);
            let value = below(&path, at);
            path.push(value);
            if holders.next_if_eq(&at).is_some() {
                held.push(hold(&path));
            }
        }
        held
    }
}
