namespace Tarn;

/// <summary>
/// Works on a pooled buffer during one call; see <see cref="BufferPool{T}.Use{TState}(int, TState, BufferAction{T, TState})"/>.
/// </summary>
/// <typeparam name="T">The type of the buffer's elements.</typeparam>
/// <typeparam name="TState">The type of the caller's state, which spares the delegate a closure.</typeparam>
/// <param name="buffer">The buffer, of exactly the requested length. Its contents are undefined. The delegate must not keep it.</param>
/// <param name="state">The caller's state.</param>
public delegate void BufferAction<T, TState>(Span<T> buffer, TState state)
    where TState : allows ref struct;
