namespace Tarn;

/// <content>The oldest asynchronous calls, as the newest. Those of the base class let one in at a time.</content>
public sealed unsafe partial class PooledMemoryStream
{
    /// <inheritdoc/>
    public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        CanRead
            ? TaskToAsyncResult.Begin(ReadAsync(buffer, offset, count, CancellationToken.None), callback, state)
            : throw new NotSupportedException("The stream was disposed.");

    /// <inheritdoc/>
    public override int EndRead(IAsyncResult asyncResult) => TaskToAsyncResult.End<int>(asyncResult);

    /// <inheritdoc/>
    public override IAsyncResult BeginWrite(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        CanWrite
            ? TaskToAsyncResult.Begin(WriteAsync(buffer, offset, count, CancellationToken.None), callback, state)
            : throw new NotSupportedException("The stream was disposed.");

    /// <inheritdoc/>
    public override void EndWrite(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);
}
