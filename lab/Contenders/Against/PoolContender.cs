using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Against;

/// <summary>
/// A pool of some build of the library, or of the BCL. Its type stays hidden in lists, and <see cref="Accept"/> brings it back, so that
/// code for it is compiled for it alone.
/// </summary>
internal abstract class PoolContender(string name, Func<long>? readRetained, Action? trim)
{
    public string Name { get; } = name;

    /// <summary>The bytes that the pool keeps now; 0 for a pool that does not say.</summary>
    public long RetainedBytes => readRetained?.Invoke() ?? 0;

    /// <summary>Gives up what the pool keeps, so that it does not count for the next one.</summary>
    public void Trim() => trim?.Invoke();

    public abstract TResult Accept<TResult>(IPoolVisitor<TResult> visitor);

    public static PoolContender Of<TPool>(string name, TPool pool, Func<long>? readRetained = null, Action? trim = null)
        where TPool : struct, IBytePool => new Typed<TPool>(name, pool, readRetained, trim);

    private sealed class Typed<TPool>(string name, TPool pool, Func<long>? readRetained, Action? trim)
        : PoolContender(name, readRetained, trim)
        where TPool : struct, IBytePool
    {
        public override TResult Accept<TResult>(IPoolVisitor<TResult> visitor) => visitor.Visit(this, pool);
    }
}
