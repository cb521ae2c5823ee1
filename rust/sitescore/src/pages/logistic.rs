//! Logistic regression with a Gaussian prior, learned by Newton's method from sums.

/// Longest step of a weight in one Newton step. Longer steps can diverge while there are few
/// samples.
const MAX_STEP: f64 = 2.0;

/// Weights of a logistic regression on `N` features, with the mean and precision of their prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logistic<const N: usize> {
    /// Weight of each feature, in logits.
    pub weights: [f64; N],
    /// Means of the prior.
    pub means: [f64; N],
    /// Precisions of the prior: the inverse of its variance.
    pub precisions: [f64; N],
}

impl<const N: usize> Logistic<N> {
    /// Returns the model before the first sample.
    pub fn new(means: [f64; N], precisions: [f64; N]) -> Self {
        Self { weights: means, means, precisions }
    }

    /// Returns the logit of the probability.
    pub fn logit(&self, features: &[f64; N]) -> f64 {
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }

    /// Moves the weights by one Newton step, given the sums of all samples at these weights.
    pub fn step(&mut self, sums: &NewtonSums<N>) {
        let mut hessian = sums.hessian;
        let mut gradient = sums.gradient;
        for at in 0..N {
            hessian[at][at] += self.precisions[at];
            gradient[at] -= self.precisions[at] * (self.weights[at] - self.means[at]);
        }
        if let Some(step) = solve(hessian, gradient) {
            let longest = step.iter().fold(MAX_STEP, |most, part| most.max(part.abs()));
            for (weight, part) in self.weights.iter_mut().zip(step) {
                *weight += part * MAX_STEP / longest;
            }
        }
    }
}

/// Sums over samples for one Newton step. They merge by addition, so the samples may be spread over
/// tasks and come in any order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonSums<const N: usize> {
    hessian: [[f64; N]; N],
    gradient: [f64; N],
}

impl<const N: usize> Default for NewtonSums<N> {
    fn default() -> Self {
        Self { hessian: [[0.0; N]; N], gradient: [0.0; N] }
    }
}

impl<const N: usize> NewtonSums<N> {
    /// Adds a sample with a target from 0 to 1.
    pub fn add(&mut self, model: &Logistic<N>, features: &[f64; N], target: f64) {
        let p = sigma(model.logit(features));
        let curvature = p * (1.0 - p);
        for row in 0..N {
            self.gradient[row] += features[row] * (target - p);
            for column in 0..N {
                self.hessian[row][column] += curvature * features[row] * features[column];
            }
        }
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        for row in 0..N {
            self.gradient[row] += other.gradient[row];
            for column in 0..N {
                self.hessian[row][column] += other.hessian[row][column];
            }
        }
        self
    }
}

/// Solves a system with a symmetric, positive definite matrix by Cholesky's method; `None` if the
/// matrix is not positive definite.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    for row in 0..N {
        for column in 0..=row {
            let known: f64 = (0..column).map(|at| matrix[row][at] * matrix[column][at]).sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] = match row == column {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / matrix[column][column],
            };
        }
    }
    for row in 0..N {
        let known: f64 = (0..row).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|at| matrix[at][row] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

/// Returns the probability of a logit.
pub fn sigma(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the logit of a probability, which is kept away from 0 and 1.
pub fn logit(p: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(samples: &[(f64, f64)], steps: usize) -> Logistic<2> {
        let mut model = Logistic::new([0.0, 0.0], [0.01, 1.0]);
        for _ in 0..steps {
            let mut sums = NewtonSums::default();
            samples.iter().for_each(|&(x, y)| sums.add(&model, &[1.0, x], y));
            model.step(&sums);
        }
        model
    }

    #[test]
    fn the_sign_of_a_feature_is_learned() {
        let samples: Vec<(f64, f64)> = (0..100)
            .map(|n| (f64::from(n % 2), f64::from(u8::from(n % 10 < 5 || n % 2 == 1))))
            .collect();
        assert!(learned(&samples, 5).weights[1] > 1.0);
        let reversed: Vec<(f64, f64)> = samples.iter().map(|&(x, y)| (x, 1.0 - y)).collect();
        assert!(learned(&reversed, 5).weights[1] < -1.0);
    }

    #[test]
    fn an_intercept_alone_finds_the_share() {
        let samples: Vec<(f64, f64)> =
            (0..1000).map(|n| (0.0, f64::from(u8::from(n % 4 == 0)))).collect();
        let model = learned(&samples, 8);
        assert!((sigma(model.logit(&[1.0, 0.0])) - 0.25).abs() < 1e-3);
        assert_eq!(model.weights[1], 0.0, "a feature that is always 0 keeps its prior");
    }

    #[test]
    fn a_strong_prior_holds_a_weight() {
        let mut model = Logistic::new([0.0, 1.0], [0.01, 1e9]);
        let mut sums = NewtonSums::default();
        (0..1000).for_each(|_| sums.add(&model, &[1.0, 1.0], 0.0));
        model.step(&sums);
        assert!((model.weights[1] - 1.0).abs() < 1e-3 && model.weights[0] < -0.5);
    }

    #[test]
    fn systems_are_solved() {
        let solved = solve([[4.0, 2.0], [2.0, 3.0]], [10.0, 9.0]).expect("it is definite");
        assert!((solved[0] - 1.5).abs() < 1e-12 && (solved[1] - 2.0).abs() < 1e-12);
        assert_eq!(solve([[1.0, 2.0], [2.0, 1.0]], [1.0, 1.0]), None);
    }
}
