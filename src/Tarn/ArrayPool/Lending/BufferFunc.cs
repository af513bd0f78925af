namespace Tarn;

/// <summary>
/// Works on a pooled buffer during one call and returns a result; see
/// <see cref="BufferPool{T}.Use{TState, TResult}(int, TState, BufferFunc{T, TState, TResult})"/>.
/// </summary>
/// <typeparam name="T">The type of the buffer's elements.</typeparam>
/// <typeparam name="TState">The type of the caller's state, which spares the delegate a closure.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="buffer">The buffer, of exactly the requested length. Its contents are undefined. The delegate must not keep it.</param>
/// <param name="state">The caller's state.</param>
/// <returns>The result, which <c>Use</c> returns to its caller.</returns>
public delegate TResult BufferFunc<T, TState, TResult>(Span<T> buffer, TState state)
    where TState : allows ref struct;
