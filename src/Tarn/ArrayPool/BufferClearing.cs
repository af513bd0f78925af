namespace Tarn;

/// <summary>When a pool clears returned buffers.</summary>
/// <remarks>With any value other than <see cref="OnRequest"/>, returns take the slow path, which clears the buffers.</remarks>
public enum BufferClearing
{
    /// <summary>Clears a buffer only when the call to <c>Return</c> requests it.</summary>
    OnRequest,

    /// <summary>
    /// Clears every buffer before it can be rented again. New buffers are zeroed too, so every rented buffer holds zeros.
    /// </summary>
    OnReturn,

    /// <summary>Clears buffers whose elements hold references on every return, and other buffers on request.</summary>
    References,
}
