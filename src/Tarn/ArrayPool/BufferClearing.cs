namespace Tarn;

/// <summary>When a pool clears the buffers that come back.</summary>
/// <remarks>Anything but <see cref="OnRequest"/> makes returns take the slow path, where the clearing is done.</remarks>
public enum BufferClearing
{
    /// <summary>Only when <c>Return</c> asks.</summary>
    OnRequest,

    /// <summary>Every buffer, before anyone else can rent it, new ones included: what is rented holds zeros.</summary>
    OnReturn,

    /// <summary>Reference-holding elements always; others on request.</summary>
    References,
}
