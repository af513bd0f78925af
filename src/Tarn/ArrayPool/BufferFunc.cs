namespace Tarn;

/// <summary>
/// Works on a lent buffer and gives a result; see
/// <see cref="BufferPool{T}.Use{TState, TResult}(int, TState, BufferFunc{T, TState, TResult})"/>.
/// </summary>
/// <typeparam name="T">The buffer's elements.</typeparam>
/// <typeparam name="TState">What the caller passes along, so that the delegate need not capture.</typeparam>
/// <typeparam name="TResult">What it gives back.</typeparam>
/// <param name="buffer">The buffer, exactly as long as asked, contents undefined. It must not be kept.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What the caller of <c>Use</c> receives.</returns>
public delegate TResult BufferFunc<T, TState, TResult>(Span<T> buffer, TState state)
    where TState : allows ref struct;
