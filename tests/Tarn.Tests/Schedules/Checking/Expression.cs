namespace Tarn.Tests.Schedules.Checking;

/// <summary>A number that a step computes from the registers of its thread.</summary>
/// <param name="reads">A bit for each register that the number depends on.</param>
/// <param name="value">The number, given all registers.</param>
internal sealed class Expression(uint reads, Func<int[], int> value)
{
    /// <summary>A bit for each register that the number depends on.</summary>
    internal uint Reads { get; } = reads;

    internal int ValueIn(int[] registers) => value(registers);

    internal Expression Is(Expression other) => Combine(this, other, static (left, right) => left == right ? 1 : 0);

    internal Expression IsNot(Expression other) => Combine(this, other, static (left, right) => left != right ? 1 : 0);

    internal Expression And(Expression other) => Combine(this, other, static (left, right) => left != 0 && right != 0 ? 1 : 0);

    internal Expression Or(Expression other) => Combine(this, other, static (left, right) => left != 0 || right != 0 ? 1 : 0);

    public static implicit operator Expression(int constant) => new(0, _ => constant);

    public static Expression operator +(Expression left, Expression right) => Combine(left, right, static (a, b) => a + b);

    public static Expression operator -(Expression left, Expression right) => Combine(left, right, static (a, b) => a - b);

    public static Expression operator *(Expression left, Expression right) => Combine(left, right, static (a, b) => a * b);

    public static Expression operator <(Expression left, Expression right) => Combine(left, right, static (a, b) => a < b ? 1 : 0);

    public static Expression operator >(Expression left, Expression right) => right < left;

    private static Expression Combine(Expression left, Expression right, Func<int, int, int> operation) =>
        new(left.Reads | right.Reads, registers => operation(left.ValueIn(registers), right.ValueIn(registers)));
}
