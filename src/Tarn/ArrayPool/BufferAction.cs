namespace Tarn;

/// <summary>Works on a lent buffer; see <see cref="BufferPool{T}.Use{TState}(int, TState, BufferAction{T, TState})"/>.</summary>
/// <typeparam name="T">The buffer's elements.</typeparam>
/// <typeparam name="TState">What the caller passes along, so that the delegate need not capture.</typeparam>
/// <param name="buffer">The buffer, exactly as long as asked, contents undefined. It must not be kept.</param>
/// <param name="state">What the caller passed.</param>
public delegate void BufferAction<T, TState>(Span<T> buffer, TState state)
    where TState : allows ref struct;
