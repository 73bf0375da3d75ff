// The model for Foundation's JSON coders.

import Foundation
import Peer

struct JSONPhoto: Codable {
  var moment, owner, album: String
  var takenAt: Int64
  var caption: String?
  var hidden: Bool
  var width, height: Int32
  var latitude, longitude: Double?
  var views: Int64
  var camera: String
  var likedBy: [String]
}

extension JSONPhoto {
  init(_ peer: PeerPhoto) {
    self.init(
      moment: peer.moment.base64EncodedString(), owner: peer.owner.base64EncodedString(),
      album: peer.album.base64EncodedString(), takenAt: peer.takenAt, caption: peer.caption, hidden: peer.hidden,
      width: peer.width, height: peer.height, latitude: peer.latitude, longitude: peer.longitude, views: peer.views,
      camera: peer.camera, likedBy: peer.likedBy.map { $0.base64EncodedString() })
  }
}
